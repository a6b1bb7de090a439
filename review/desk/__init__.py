"""What lies before a reviewer, prepared for the screens: the queue page, its cards and their evidence, reservations."""
