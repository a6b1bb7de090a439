"""English words of time. Each line: class, value, and the words that have it; see `lexicon.py` for the classes."""

WORDS = """
weekday 0 | monday mon mondy
weekday 1 | tuesday tues tue tuesdy
weekday 2 | wednesday weds wed wednsday
weekday 3 | thursday thurs thur thu thursdy
weekday 4 | friday fri fridy
weekday 5 | saturday saterday
weekday 6 | sunday
weekday:sat 5 | sat
weekday:sun 6 | sun
weekdays 0 | mondays
weekdays 1 | tuesdays
weekdays 2 | wednesdays
weekdays 3 | thursdays
weekdays 4 | fridays
weekdays 5 | saturdays
weekdays 6 | sundays
weekdays weekend | weekends
weekdays weekday | weekdays
month 1 | january jan
month 2 | february feb
month 4 | april apr
month 6 | june jun
month 7 | july jul
month 8 | august aug
month 9 | september sept sep
month 10 | october oct
month 11 | november nov
month 12 | december dec
month:weak 3 | march mar
month:weak 5 | may
day_word 0 | today tday
day_word 1 | tomorrow tomorow tommorow tommorrow tomorro tmrw tmrrw tmr tmw tmoro tomoz tmoz 2moro 2morrow 2mrw 2mro
day_word -1 | yesterday yday
day_word 2 | day_after_tomorrow the_day_after_tomorrow
day_word -2 | day_before_yesterday the_day_before_yesterday
day_beside -1 | the_day_before the_previous_day
day_beside 1 | the_day_after the_next_day the_following_day
tonight night | tonight tonite 2night 2nite tnite
now | now rn right_now at_the_moment at_this_time at_the_minute asap
day_end | end_of_day eod end_of_the_day close_of_business cob
part morning | morning mornings morn
part afternoon | afternoon afternoons arvo
part evening | evening evenings
part night | night nights night_time
part lunch | lunch lunchtime
part dinner | dinner dinnertime
part breakfast | breakfast
noon 12 | noon midday noontime
noon 24 | midnight mid_night
unit day | day days
unit week | week weeks wk wks
unit month | month months mths mth
unit year | year years yr yrs
unit quarter | quarters qtr
unit weekend | weekend wkend
unit decade | decade decades
unit century | century centuries
unit fortnight | fortnight fortnights
unit workday | business_day business_days working_day working_days workday workdays
unit workweek | working_week work_week
unit night | nights
clock_unit hour | hour hours hr hrs
clock_unit minute | minute minutes min mins
clock_unit second | seconds secs sec
this this | this
next next | next nxt following
next coming | coming upcoming
last last | last previous prev
the | the
of | of
at | at
in in | in during
in within | within inside
on on | on
from from | from
between between | between
to to | to through thru
to until | till til until 'til
aged | old of_age
and | and
or | or
before before | before prior_to earlier_than no_later_than not_later_than as_late_as at_the_latest
before by | by
after after | after later_than past_the more_than
after since | since ever_since starting_on as_of as_early_as no_earlier_than beginning_on from_now_on
about approx | around approximately approx circa roughly
about about | about
every | every each any
other 2 | other
past past | past
half half | half ½
quarter quarter | quarter
later ago | ago
later later | later from_now hence
a 1 | a an one_more another
starting | starting beginning commencing
some 3 | few several a_few some
some 2 | couple couple_of a_couple_of a_couple
all all | all whole entire
phase early | early earlier earlier_in early_in
phase late | late later_in late_in
phase mid | mid middle mid_of
phase begin | start beginning_of start_of
phase end | end
phase rest | rest remainder remaining rest_of
often FREQ=DAILY | daily everyday
often FREQ=WEEKLY | weekly
often FREQ=WEEKLY;INTERVAL=2 | biweekly bi_weekly fortnightly
often FREQ=MONTHLY | monthly
often FREQ=MONTHLY;INTERVAL=3 | quarterly
often FREQ=MONTHLY;INTERVAL=6 | semi_annually semiannually biannually
often FREQ=YEARLY | annually yearly
times | once twice thrice
ampm am | am a.m a_m
ampm pm | pm p.m p_m
oh 0 | oh
oclock | o'clock oclock o'clk sharp on_the_dot
calendar_kind school | school_year sy
calendar_kind calendar | calendar_year cy
calendar_kind fiscal | fiscal_year fy
zone UTC | utc gmt
zone America/New_York | est edt et
zone America/Los_Angeles | pst pdt pt
zone America/Chicago | cst cdt
zone America/Denver | mst mdt
zone Europe/Berlin | cet cest
zone Europe/London | bst
decade_word 20 | twenties
decade_word 30 | thirties
decade_word 40 | forties
decade_word 50 | fifties
decade_word 60 | sixties
decade_word 70 | seventies
decade_word 80 | eighties
decade_word 90 | nineties
season 6 | summer summertime
season 9 | autumn
season 12 | winter wintertime
measure | percent percents degrees degree dollars dollar euros euro pounds bucks cents miles mile km kilometers
measure | meters metres feet foot inches people persons kids points times pieces pages items places more boxes cups
measure | slices
then | works work ok okay please pls plz good fine for with w if is then instead latest right still yes no but
then | because so that too also thanks thx
pronoun | i you he she we they who nobody everybody everyone
then | for_now good_morning good_afternoon good_evening good_night
modal | not_right_now not_now
modal | will would can could should shall might must not never won't wouldn't can't couldn't shouldn't didn't
modal | doesn't don't to_last may_not
hundred 100 | hundred
thousand 1000 | thousand
holiday 12-25 | christmas christmas_day xmas xmas_day
holiday 12-24 | christmas_eve xmas_eve
holiday 12-26 | boxing_day
holiday 12-31 | new_year's_eve new_years_eve nye
holiday 1-1 | new_year's_day new_years_day new_year's
holiday 2-14 | valentine's_day valentines_day
holiday 3-17 | st_patrick's_day saint_patrick st_patricks_day saint_patrick's_day
holiday 5-1 | international_workers'_day labour_day may_day
holiday 6-19 | juneteenth freedom_day jubilee_day
holiday 7-4 | independence_day
holiday 10-31 | halloween
holiday 11-11 | veterans_day veterans'_day
holiday easter+0 | easter easter_sunday
holiday easter+1 | easter_monday
holiday easter-2 | good_friday
holiday 5:0:1 | mothers'_day_uk
holiday 5:6:2 | mother's_day mothers_day
holiday 6:6:3 | father's_day fathers_day
holiday 9:0:1 | labor_day
holiday 1:0:3 | mlk_day
holiday 5:0:-1 | memorial_day
holiday 11:3:4 | thanksgiving thanksgiving_day
holiday thanksgiving+1 | black_friday
"""

# Short forms that are words of their own elsewhere, read only in a text of this language; and what tells that it is.
HINTED = ""
HINTS: frozenset[str] = frozenset()

_UNITS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
""".split()
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_ORDINALS = """
    zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
""".split()
NUMBERS = {
    **{word: number for number, word in enumerate(_UNITS)},
    **_TENS,
    **{
        f"{ten}{sign}{_UNITS[one]}": value + one
        for ten, value in _TENS.items()
        for one in range(1, 10)
        for sign in "-_"
    },
}
ORDINALS = {
    **{word: number for number, word in enumerate(_ORDINALS) if number},
    "thirtieth": 30,
    **{
        f"{ten}{sign}{_ORDINALS[one]}": _TENS[ten] + one
        for ten in ("twenty", "thirty")
        for one in range(1, 10)
        for sign in "-_"
    },
}
