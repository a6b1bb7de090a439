"""iCalendar (RFC 5545): its events as the values of claims, and the calendar of a scope as a file."""
