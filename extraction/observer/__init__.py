"""The observer of a household's chat: what is planned there, compared with what is confirmed, and a notice only where they clash
(O8, O9). Claims are compared, never confidences.

    calendar = KnownCalendar(entries, people)
    watcher = ThreadWatcher(calendar, zone, rules)
    for act in acts:                     # of `extraction.chat.commitments`, oldest first
        findings = watcher.read(act)     # what to say now, nothing later in sight
    watcher.wait_until(moment)           # what nobody answered in the meantime
"""

from extraction.observer.known import KnownCalendar
from extraction.observer.settings import RedlineSettings
from extraction.observer.watcher import ThreadWatcher
from extraction.observer.wording import notice_text

__all__ = ["KnownCalendar", "RedlineSettings", "ThreadWatcher", "notice_text"]
