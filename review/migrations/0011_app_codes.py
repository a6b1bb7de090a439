"""The apps that make codes for signing in; their rows are django-otp's."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("review", "0010_agreement"), ("otp_totp", "0003_add_timestamps")]

    operations = [
        migrations.CreateModel(
            name="AppCode", fields=[], options={"proxy": True, "indexes": [], "constraints": []},
            bases=("otp_totp.totpdevice",),
        )
    ]
