"""How people are said to take something on, in the languages that minutes are written in: what stands right behind a name, up to
the verb of what is to be done."""

import re
from collections.abc import Iterable
from typing import Final

_ADVERBS: Final = (
    r"(?:(?:also|then|now|both|all|each|just|still|kindly|gladly|please|again|first|either|in turn|in the meantime"
    r"|[a-z]{3,20}ly)[ ,]+){0,3}"
)
_VERB: Final = r"(?P<verb>[a-z][a-z-]+)\b"
_BY_DAY: Final = (
    r"(?:by|before|until) (?:(?:the )?(?:next|end|weekend)\b|tomorrow|tonight|then|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr"
    r"|may|jun|jul|aug|sep"
    r"|oct|nov|dec|eod|eow|\d)"
)
# Verbs of talk and of states, which bind nobody.
_TALKS: Final = (
    r"(?:i|wa|ha|doe|goe|say|note|report|ask|think|agree|want|hope|suggest|believe|present|explain|mention|expect|need|like|see"
    r"|know|feel"
    r"|point|remind|propose|wonder|leave|arrive|return|state|describe|add|raise|thank|recommend|discusse|move|find|use|look|seem"
    r"|work)s"
)

# Forms that a verb follows as it stands in a dictionary.
_WILL: Final = (
    r"(?:will|shall|['’]ll)",
    r"(?:is|are|was|were|['’]s|['’]re) (?:now |also )?(?:going to|asked to|tasked to|assigned to|requested to|delegated to"
    r"|instructed to"
    r"|committed to|planning to)",
    r"(?:has|have|had) (?:also )?(?:been (?:asked|tasked|assigned|requested|delegated|instructed) to|an? (?:action|task"
    r"|todo)(?: item)? to)",
)
_TO: Final = (r"to", r"(?:is|are) to")
# Who offers or promises, in any tense, with the verb behind.
_PROMISES: Final = (
    r"(?:(?:has|have|had|was|were|is|are|also|kindly|gladly|then|both|all) ){0,3}"
    r"(?:volunteer(?:s|ed|ing)?|offer(?:s|ed|ing)?|agree(?:s|d)?|promise[sd]?|undert(?:akes?|ook|aken)|pledge[sd]?|commit(?:s|ted)?"
    r"|sign(?:s|ed) up|step(?:s|ped) up)(?: (?:himself|herself|themselves))?(?: to| that (?:s?he|they) (?:would|will|can|could"
    r"|['’]d))",
    r"(?:said|says|mentioned|confirmed|confirms|stated)(?: that)? (?:s?he|they)(?: would| will| is going to| are going to"
    r"|['’](?:ll|d))",
)
# Forms that need no verb behind them.
_WHOLE: Final = (
    r"(?:(?:has|have|will|also|then|now) ){0,2}(?:takes?|took|taken|taking) (?:care of|on (?!average|the role\b)|charge of"
    r"|responsibility for"
    r"|ownership of|over(?<!took over)(?<!taken over)\b|(?:an?|the|this|that|these|those|it|one|his|her|their) (?:new "
    r"|first )?(?:action|task|todo|lead on)\b|it up with)",
    r"(?:will|is to|to) be (?:responsible for|in charge of|(?:sending|writing|contacting|drafting|preparing|working"
    r"|organi[sz]ing|handling|looking"
    r"|following|arranging|leading|taking care))\b",
    r"will have (?:an? (?:look|word|chat|talk|go)|(?:it|them|this|that|(?:the|an?) [a-z ]{2,30}?) (?:\w+ed|ready|done|sent|made"
    r"|set|built))\b",
    r"(?:is|are|will be) (?:responsible for|in charge of|on the hook for) (?:\w+ ){0,2}?\w+ing\b",
    rf"(?:also |then )?(?!(?:{_TALKS})\b)[a-z]{{2,20}}(?<!s)s\b(?=[^.;:!?]{{3,160}}\b{_BY_DAY})",
    r"(?:(?:has|have|had|also) ){0,2}volunteer(?:s|ed) (?:himself|herself|themselves|for (?!note|scrib|minute)|as (?!scribe|note"
    r"|minute))",
)

# German: the verb stands at the end, or says by itself that it is somebody's from now on.
_GERMAN_DO: Final = (
    r"(?:schreib|schick|send|versend|verschick|organisier|bestell|besorg|kauf|prüf|überprüf|klär|kontaktier|informier|erstell"
    r"|entwirf"
    r"|entwerf|verfass|reservier|buch|aktualisier|überarbeit|reparier|koordinier|recherchier|vereinbar|beantrag|verteil"
    r"|veröffentlich"
    r"|erledig|druck|back)(?:t|et|en|n)?"
)
_GERMAN_DAY: Final = (
    r"(?:bis|morgen|nächste[rnms]?|kommende[rnms]?|spätestens|am (?:\d|mon|diens|mitt|donn|frei|sams|sonn))\b"
)
# `wird vorgeschlagen`, `wird von allen gewählt und aufgenommen`
_PASSIVE: Final = (
    r"[^.;!?]{0,160}?\b(?:(?:vor|an|auf|aus|ein|ab|nach|mit|fest|zurück)?ge(?:schl|spr|nomm|wies|schrieb|troff|fund|bot)\w{0,4}en"
    r"|(?:über|unter)nommen|beschlossen|entschieden|empfohlen)\b"
)
_GERMAN: Final = (
    r"(?:wird|werden|soll|sollen|möge|muss|müssen) (?!nicht\b"
    rf"|kein|{_PASSIVE})"
    r"(?=[^.;!?]{2,200}?(?<!fehl)(?<!brauch)(?<!könn)(?<!woll)(?<!müss)"
    r"(?<!werd)(?<!hab)(?:en|ern|eln|tun)(?:[ ]*[.,;!)]|[ ]*\Z| und\b| bis\b))",
    r"(?:übern(?:immt|ehmen|ahm|ahmen) |kümmer(?:t|n|te|ten) sich |sorg(?:t|en) (?:für|dafür)|nimmt (?=[^.;]{2,80}in die hand)"
    r"|(?:ist|sind) (?:zuständig|verantwortlich) für)",
    r"(?:(?:hat|haben|wurde|wurden) )?(?:erklär(?:t|en|te|ten) sich (?:dazu )?bereit|biete(?:t|n)\b|bot(?:en)? an|sag(?:t|en|te"
    r"|ten) zu"
    r"|verspr(?:icht|ach|echen|achen)|verpflichte(?:t|n|te|ten) sich|meld(?:et|en|ete|eten) sich freiwillig|sich bereit erklärt"
    r"|angeboten|zugesagt|versprochen|gebeten|beauftragt)",
    rf"{_GERMAN_DO} (?!nicht\b|gerade\b|noch nicht\b)",
    rf"(?!berichte|frag|sag|mein|glaub|hoff|fehl|komm|geh|bleib|ist\b|hat\b"
    rf"|wird\b)[a-zäöüß]{{2,20}}t (?=[^.;!?]{{0,160}}\b{_GERMAN_DAY})",
)
_SPANISH: Final = (
    r"(?:también )?(?:va|van) a (?P<es>[a-z]+(?:ar|er|ir))(?:[lmst]e|l[aeo]s?|se)*\b",
    r"(?:también )?se (?:encarg|ocup)(?:a|an|ará|arán|ó|aron) de",
    r"(?:también )?se (?:hac|har)(?:e|en|á|án) cargo",
    r"(?:también )?se (?:compromet(?:e|en|ió|ieron|erá)|ofrec(?:e|en|ió|ieron|erá)) (?:a|para)\b",
    r"(?:qued(?:a|an|ó|aron) (?:en|encargad[oa]s? de)|promet(?:e|en|ió|ieron)|acept(?:a|an|ó|aron) (?=[a-zí]+[aei]r)|asum(?:e|en"
    r"|ió|irá))\b",
    r"(?:debe|deben|tiene que|tienen que) (?P<es2>[a-z]+(?:ar|er|ir))",
    r"(?:(?:le|les|nos|lo|la|los|las|se) )?(?!estar|ser|tendr|podr|habr|faltar|llegar|necesitar|querr|deber|asistir|vendr|saldr"
    r"|perder|quedar)"
    r"[a-zñáéíóú]{2,20}(?:ar|er|ir|dr|br|r)(?:á|án)\b",
)
_FRENCH: Final = (
    r"(?:va|vont) (?!être|pouvoir|devoir|avoir|arriver|manquer|partir)(?:[a-zé]+ment )?[a-zéèêà'’ ]{0,12}[a-zéèêîç]+(?:er|ir|re"
    r"|oir)\b",
    r"(?:s['’](?:occup|engag)(?:e|ent|era|eront|eait)|se (?:charg|propos)(?:e|ent|era|eront)|s['’]est (?:engagée?|proposée?)"
    r"|s['’]en (?:occup|charg)(?:e|era))\b",
    r"(?:a|ont) (?:promis|accepté|proposé) d(?:e |['’])(?=[a-zéèê'’ ]{0,10}[a-zéèêîç]+(?:er|ir|re)\b)",
    r"prend(?:ra|ront)? (?:en charge|contact|le relais|rendez-vous)",
    r"(?:doit|doivent|est chargée? d(?:e |['’])) ?(?!être|avoir)[a-zéèê'’ ]{0,12}[a-zéèêîç]+(?:er|ir|re)\b",
    r"(?:(?:l['’]|les? |la |lui |leur |y |nous |s['’]en |en ))?(?!ser|aur|pourr|devr|faudr|voudr|viendr|rester|arriver|manquer"
    r"|participer|"
    r"assister)[a-zéèêîç]{2,20}(?:era|eront|ira|iront|dra|dront|tra|tront|rra|rront)\b",
)
_PORTUGUESE: Final = (
    r"(?:vai|vão) (?!estar|ser|ter|faltar|precisar|chegar)(?:[a-z]+mente )?[a-zç]+(?:ar|er|ir|or)\b",
    r"(?:fica(?:rá|m|rão)? (?:de|responsáve(?:l|is) por|encarregad[oa]s?)|ficou (?:de|responsável|encarregad)|se encarrega"
    r"|encarrega-se"
    r"|compromete(?:u)?-se|se comprometeu?|oferece(?:u)?-se|se ofereceu|prometeu|trata(?:rá)? de|assume|assumiu)\b",
)
_ITALIAN: Final = (
    r"(?:si occup(?:a|erà|ano|eranno) di|si impegna(?:no)? a|si è impegnat[oa] a|si (?:offre|è offert[oa]) (?:di|per)|prend(?:e"
    r"|erà) in carico"
    r"|provvede(?:rà)? a|ha promesso di|si incarica di)",
    r"(?!sar|avr|potr|dovr|vorr|mancher|arriver)[a-zàèéìòù]{2,20}(?:erà|irà|rà|eranno|iranno|ranno)\b",
)
_DUTCH: Final = (
    r"(?:zal|zullen|gaat|gaan) (?!niet|afwezig|weg)(?=[^.;!?]{2,200}?(?<!zij)(?<!hebb)(?<!kom)en(?:[ ]*[.,;!)]|[ ]*\Z))",
    r"(?:neemt (?=[^.;]{2,80}op zich)|zorgt voor|regelt|belooft|biedt aan|stuurt|schrijft|bestelt|vraagt na|zoekt uit|contacteert)",
)

# Forms that the name stands behind.
BY: Final = re.compile(
    r"\b(?:(?:will|shall|is to|are to) be [a-z]{3,20}(?<!ing)(?:[a-z ]{1,30}?)? by"
    r"|(?:kümmer(?:t|n) sich|übern(?:immt|ehmen)|sorg(?:t|en)|organisier(?:t|en)|besorg(?:t|en)|bring(?:t|en)|schreib(?:t|en)"
    r"|schick(?:t|en)|prüf(?:t|en)|bestell(?:t|en)|erledig(?:t|en)|(?:wird"
    r"|werden)(?=[^.;!?]{3,200}(?<!fehl)(?<!brauch)(?<!komm)en[ ]*[.,;!)]))"
    r"|se (?:encarg|ocup)(?:an?|ará|arán)|s['’]occupe(?:nt|ra|ront)?)\s+"
)

# What follows "will" where nobody takes anything on: states, chances, needs, talk in the meeting itself.
NO_WILL: Final = frozenset(
    """be not never need have require miss probably likely perhaps possibly maybe want like know think feel benefit lose remain stay
    become understand agree love hate enjoy receive arrive leave retire turn die depend cost happen say cease recuse abstain second
    prefer rather vote fall fail live end no come stop seem appear matter wait struggle lack suffer exist hopefully only hear
    notice argue disagree
    object step see continue serve
    encourage welcome appreciate""".split()
)
# What follows "will" where somebody does so in the meeting, unless a later day is named.
IN_MEETING: Final = frozenset(
    """present introduce speak scribe chair moderate join attend demo talk facilitate explain demonstrate recap kick walk preside
    minute discuss""".split()
)
# Work for several people by themselves.
TOGETHER: Final = frozenset({"discuss", "meet", "talk"})
LATER: Final = re.compile(
    r"\b(?:offline|(?:by|via|over|per) (?:e-?mail|phone|chat|slack)|on (?:the )?(?:list|slack|github)"
    r"|after (?:the|this) (?:meeting|call)|next|tomorrow|following|upcoming|by|before|until|on (?:mon|tue|wed|thu"
    r"|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct"
    r"|nov|dec|\d)\w*)\b(?! (?:item|topic|point|slide|part|session today))",
    re.I,
)
# Work for those who sit there: `will give us an update`.
FOR_US: Final = re.compile(
    r"(?:(?:give|provide|lead|show|tell|take|walk|update|run)(?: us| you all| everyone| (?:the )?(?:board|group|committee|team)"
    r"(?: through)?| (?:an? |the )?(?:[a-z]+ )?(?:updates?|demo|intro[a-z]*|overview|presentation|recap|talk|discussion|session))"
    r"|report (?:from|on)|touch (?:base )?on|noodle)\b"
)
# What somebody took on once is news of it.
LONG_AGO: Final = re.compile(
    r"\b(?:earlier this|last (?:year|month|week|time)|ago|previously|in (?:19|20)\d\d)\b", re.I
)
PAST: Final = re.compile(
    r"(?:has |have |had |also |was |were ){0,3}(?:took|taken|volunteered|offered|agreed|promised|committed|asked|tasked)\b"
)
# What is on an agenda where time allows binds nobody.
IF_TIME: Final = re.compile(r"\b(?:if|as) (?:time|there is time|we have time)\b", re.I)
# What follows "to" and is no verb.
NO_TO: Final = frozenset(
    """the a an my our his her their its this that these those all any some be me us him them you it date do-not not have had been
    one two three four five six ten both each every other others more most same which what whom whose who where when how
    know need want like feel think understand believe join attend say and or of in on at by for from with as but""".split()
)


def _joined(forms: Iterable[str]) -> str:
    return "|".join(forms)


# Right behind a name and a blank: one of the forms, with the verb where the form asks for one.
TAKES_ON: Final = re.compile(
    rf"(?P<whole>{_joined((*_WHOLE, *_GERMAN, *_SPANISH, *_FRENCH, *_PORTUGUESE, *_ITALIAN, *_DUTCH))})"
    rf"|(?:(?P<will>(?:{_joined(_WILL)}) {_ADVERBS})|(?P<to>(?:{_joined(_TO)}) {_ADVERBS})"
    rf"|(?P<promise>(?:{_joined(_PROMISES)}) {_ADVERBS}))"
    rf"{_VERB}"
)
# What a speaker says of what they will do, and the verbs of work that outlasts the meeting.
SELF: Final = re.compile(
    rf"(?:(?:\A\W*|[,;:] |\b(?:so|and|but|then) )I(?:['’]ll| will| shall|['’]m going to| am going to| volunteer to| offer to"
    rf"| promise to)"
    rf"|\A\W*(?:(?i:yes|yeah|ok|okay|sure|right|fine|good)\b[,.;: ]{{1,3}})?(?:I(?:['’]ll| will)"
    rf"|[Ww]ill)) {_ADVERBS}(?:try (?:to|and) )?{_VERB}"
)
WORK: Final = frozenset(
    """add address amend announce arrange assign book bring check circulate clean collect compile complete contact coordinate create
    design document draft edit email e-mail expand file finalise finalize find fix follow followup forward implement inform inquire
    investigate invite look make merge notify open order organise organize ping post prepare produce propose publish put reach
    rebase reach read record refactor remove rename report reproduce request research resend review revise rewrite schedule send
    set sort submit summarise summarize talk test translate update upload verify work write""".split()
)
# What goes on with a sentence whose subject it shares.
ALSO_WORK: Final = WORK | frozenset("help share provide spin hand give ask run start try build get".split())
# Work that is done on the spot.
AT_ONCE: Final = re.compile(
    r"\b(?:now|here|quick(?:ly)?|briefly|real quick|screen|slides?|(?:in|into) (?:the )?(?:chat|irc|notes|minutes|queue)|queue"
    r"|a (?:second|moment|minute)"
    r"|right away|just|out loud)\b",
    re.I,
)
