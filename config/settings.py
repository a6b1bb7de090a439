"""All settings. The environment says what differs between one person's laptop and production; nothing else does."""

import os
from datetime import timedelta
from pathlib import Path

from django.utils.csp import CSP

from config import database, env, logging, mail
from config.embedded import folder, secrets

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.folder("COUNTERSIGN_DATA", BASE_DIR / "var")

DEBUG = env.flag("COUNTERSIGN_DEBUG")
SECRET_KEY = env.text("COUNTERSIGN_SECRET_KEY") or secrets.django_key(DATA_DIR)
ALLOWED_HOSTS = env.words("COUNTERSIGN_HOSTS", "localhost,127.0.0.1,[::1],testserver")
CSRF_TRUSTED_ORIGINS = env.words("COUNTERSIGN_ORIGINS")

INSTALLED_APPS = [
    "config.apps.ConfigConfig",
    "ledger",
    "extraction",
    "review",
    "review.site.CountersignAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "django_htmx",
    "ninja",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.RequestContextMiddleware",
    "config.middleware.NothingStoredMiddleware",
    "config.middleware.ApiProblemMiddleware",
    "config.middleware.TooLongMiddleware",
    "config.middleware.DomainErrorMiddleware",
    "axes.middleware.AxesMiddleware",
]

# Figures for Prometheus at /api/v1/metrics (docs/deployment.md). Each process of this machine counts into files of this folder.
COUNTERSIGN_METRICS = env.flag("COUNTERSIGN_METRICS")
if COUNTERSIGN_METRICS:
    MIDDLEWARE.insert(0, "config.metrics.LatencyMiddleware")
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(folder.private(DATA_DIR / "metrics")))

# Traces for OpenTelemetry (docs/deployment.md); where they go is told by OpenTelemetry's own variables.
COUNTERSIGN_TRACES = env.flag("COUNTERSIGN_TRACES")
if COUNTERSIGN_TRACES:
    MIDDLEWARE.insert(0, "config.tracing.TraceMiddleware")

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = database.settings(DATA_DIR)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.text("REDIS_URL") or database.embedded_redis_url(DATA_DIR)
CELERY_BROKER_URL = REDIS_URL

# What the core needs from outside reaches it by name: the callable that wakes a worker once a run is committed.
COUNTERSIGN_WAKE = env.text("COUNTERSIGN_WAKE", "config.celery.wake")
# And one that wakes whoever posts to chats.
COUNTERSIGN_WAKE_POSTS = env.text("COUNTERSIGN_WAKE_POSTS", "config.celery.wake_posts")
# The callable that tells when candidates first lay on a reviewer's desk: a policy leaves alone what somebody has seen.
COUNTERSIGN_SEEN = "review.desk.reservations.first_seen"
# And the callable that tells which extractors read the texts of a scope, for those who ask for another pass.
COUNTERSIGN_EXTRACTORS = "extraction.extractors.registry.for_scope"
# And the one that reads a thread again, for the screen that shows what the observer would have said.
COUNTERSIGN_REPLAY = "extraction.observer.replay.replay"

# The module that answers in a conversation: `reply_refusal(scope)` and `stream_reply(source)`.
COUNTERSIGN_REPLIES = "extraction.extractors.model.replying"

# Which of them wait for an answer from elsewhere: their runs come after all others.
COUNTERSIGN_SLOW_EXTRACTORS = ["model", "enricher_model", "coordination_model"]
# So many of them are at work at once, over all workers; fewer than there are worker processes.
COUNTERSIGN_SLOW_AT_ONCE = env.number("COUNTERSIGN_SLOW_AT_ONCE", 1)

# A backup into this folder every so many hours; the newest are kept, and sealed where a key file is named. Off without a folder.
COUNTERSIGN_BACKUP_DIR = env.text("COUNTERSIGN_BACKUP_DIR")
COUNTERSIGN_BACKUP_HOURS = env.number("COUNTERSIGN_BACKUP_HOURS", 24)
COUNTERSIGN_BACKUP_KEEP = env.number("COUNTERSIGN_BACKUP_KEEP", 7)
COUNTERSIGN_BACKUP_KEY = env.text("COUNTERSIGN_BACKUP_KEY")

# Any server that speaks the OpenAI wire format. Without an address and a key no model is asked, whatever the packs say.
OPENAI_BASE_URL = env.text("OPENAI_BASE_URL")
OPENAI_API_KEY = env.text("OPENAI_API_KEY")
COUNTERSIGN_MODEL = env.text("COUNTERSIGN_MODEL") or "gpt-5-mini"
COUNTERSIGN_MODEL_TIMEOUT_S = env.number("COUNTERSIGN_MODEL_TIMEOUT_S", 120)
# Ceilings of one UTC day (docs/model.md); packs may set smaller ones. The first two are for all calls about one source.
COUNTERSIGN_MODEL_CALLS_PER_SOURCE = env.number("COUNTERSIGN_MODEL_CALLS_PER_SOURCE", 12)
COUNTERSIGN_MODEL_TOKENS_PER_SOURCE = env.number("COUNTERSIGN_MODEL_TOKENS_PER_SOURCE", 200_000)
COUNTERSIGN_MODEL_CALLS_PER_DAY = env.number("COUNTERSIGN_MODEL_CALLS_PER_DAY", 1_000)
COUNTERSIGN_MODEL_TOKENS_PER_DAY = env.number("COUNTERSIGN_MODEL_TOKENS_PER_DAY", 2_000_000)
# How much of one source is sent (characters), and how long its answer may be (tokens).
COUNTERSIGN_MODEL_TEXT = env.number("COUNTERSIGN_MODEL_TEXT", 24_000)
COUNTERSIGN_MODEL_ANSWER_TOKENS = env.number("COUNTERSIGN_MODEL_ANSWER_TOKENS", 4_000)

# Django's sessions in the database, each with its user, who sees and ends them.
SESSION_ENGINE = "review.sessions"
LOGIN_URL = "/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/login/"
AUTHENTICATION_BACKENDS = ["config.sign_in.LockoutBackend", "django.contrib.auth.backends.ModelBackend"]
# Wrong tries are counted by account and address, in a table that every web process sees; nothing of what was typed is kept.
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "sign_ins": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "review_signins"},
}
AXES_HANDLER = "axes.handlers.cache.AxesCacheHandler"
AXES_CACHE = "sign_ins"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = "config.lockout.failure_limit"
AXES_LOCKOUT_CALLABLE = "config.lockout.locked"
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = AXES_VERBOSE = False
# Who has to sign in with a second factor: nobody who does not want to, `staff`, or `all`; a scope may ask for it, too.
COUNTERSIGN_SECOND_FACTOR = env.one_of("COUNTERSIGN_SECOND_FACTOR", "", "staff", "all")
OTP_TOTP_ISSUER = "Countersign"
# Single sign-on by OpenID Connect (docs/signing-in.md). Off without an issuer.
COUNTERSIGN_OIDC_ISSUER = env.text("COUNTERSIGN_OIDC_ISSUER")
COUNTERSIGN_OIDC_CLIENT = env.text("COUNTERSIGN_OIDC_CLIENT")
COUNTERSIGN_OIDC_SECRET = env.text("COUNTERSIGN_OIDC_SECRET")
COUNTERSIGN_OIDC_NAME = env.text("COUNTERSIGN_OIDC_NAME") or "single sign-on"
# Whose people get an account, without any right, when they first come.
COUNTERSIGN_OIDC_DOMAINS = [domain.lower() for domain in env.words("COUNTERSIGN_OIDC_DOMAINS")]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# Digests (docs/reviewing.md): where mail goes, from whom, and the address that links in it begin with.
MAILERS = mail.mailers(env.text("COUNTERSIGN_MAIL_URL"))
DEFAULT_FROM_EMAIL = env.text("COUNTERSIGN_MAIL_FROM") or "Countersign <countersign@localhost>"
COUNTERSIGN_URL = env.text("COUNTERSIGN_URL")
# Webhooks go to public addresses over TLS and to these ports, unless these say otherwise.
COUNTERSIGN_WEBHOOK_PORTS = env.text("COUNTERSIGN_WEBHOOK_PORTS", "80,443,8000-9999")
COUNTERSIGN_WEBHOOK_PRIVATE = env.flag("COUNTERSIGN_WEBHOOK_PRIVATE")
COUNTERSIGN_WEBHOOK_HTTP = env.flag("COUNTERSIGN_WEBHOOK_HTTP")

# The bot that speaks in chats (docs/chats.md): a staging server has a bot of its own, and so has production. The secret is the end
# of the webhook's address; without one it is made of the token and the server's own key.
# A brain elsewhere that the observer asks instead of its own (O7): the address of its `/brain/query`.
COUNTERSIGN_BRAIN_URL = env.text("COUNTERSIGN_BRAIN_URL")
COUNTERSIGN_BRAIN_TOKEN = env.text("COUNTERSIGN_BRAIN_TOKEN")
COUNTERSIGN_TELEGRAM_TOKEN = env.text("COUNTERSIGN_TELEGRAM_TOKEN")
COUNTERSIGN_TELEGRAM_SECRET = env.text("COUNTERSIGN_TELEGRAM_SECRET")
COUNTERSIGN_TELEGRAM_SERVER = env.text("COUNTERSIGN_TELEGRAM_SERVER") or "https://api.telegram.org"
# The same for Slack: the app's bot token, and the secret that it signs with.
COUNTERSIGN_SLACK_TOKEN = env.text("COUNTERSIGN_SLACK_TOKEN")
COUNTERSIGN_SLACK_SECRET = env.text("COUNTERSIGN_SLACK_SECRET")
COUNTERSIGN_SLACK_SERVER = env.text("COUNTERSIGN_SLACK_SERVER") or "https://slack.com/api"
# So many messages a minute are posted to one chat: Telegram takes twenty a minute from a bot in one group.
COUNTERSIGN_CHAT_POSTS_A_MINUTE = env.number("COUNTERSIGN_CHAT_POSTS_A_MINUTE", 20)

LOGGING = logging.configure()

LANGUAGE_CODE = "en"
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "templates" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# Behind a proxy that speaks HTTPS to browsers and says so.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS = env.flag("COUNTERSIGN_HTTPS")
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024 * 1024
# A folder that is dropped on the screen comes with the path of each file.
DATA_UPLOAD_MAX_NUMBER_FILES = 2000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 4000
