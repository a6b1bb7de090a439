"""How people answer in English, Spanish and German: take it on, refuse, agree, offer. Patterns run over folded text."""

import re

from extraction.chat.commitments.lexicon import over_folded, phrase

YES = over_folded(
    r"(?:yes+|yeah+|yea|yep+|yup+|yess+|sure(?: thing)?|ok(?:ay|ie|ey)?|k+|(?:of )?course|ofc|absolutely|\w+ it is(?=\W*$)|"
    r"definitely|def|totally"
    r"|no prob(?:lem)?s?|np|no worries|bet|deal|copy(?: that)?|roger|got it|got (?:you|u|ya|him|her|them)|"
    r"gotcha|on it|you got it"
    r"|will do|can do|10-?4|ten four|right (?:oh|you are)|righto|aye aye|say no more|consider it done|"
    r"go on then|doable|understood|heard|fine|(?:that )?works(?: for me)?|(?:that'?s |thats )?(?:fine|ok|good|"
    r"great)(?: by|"
    r" with| for) (?:me|us)|happy to"
    r"|glad to|gladly|great|perfect|confirmed|noted|blocked|all good|i'?m (?:in|on it|free|good|there|"
    r"down|up for it)(?=\W*$)"
    r"|count me in|aye|alright|you'?re on|(?:looks|sounds) (?:good|fine|great)|(?:that|it)(?:'?d|"
    r" would) be \w+|please do|yes please"
    r"|my pleasure|with pleasure|always|anytime|(?:in|right|ya|ye|va|done|cool|me too|sold|agreed)(?=\W*$)"
    r"|si+|sip|claro(?: que si)?|vale|dale|venga|trato(?: hecho)?|esta bien|(?:me )?va (?:bien|perfecto)|"
    r"me parece(?: bien)?"
    r"|seria \w+|por favor|porfa(?:vor)?|listo|hecho|de acuerdo|sin problema|por supuesto|perfecto|bueno|"
    r"oka|oki|sale|orale|descuida|genial"
    r"|desde luego|cuenta con(?:migo)?|no te preocupes|no os preocupeis|faltaba mas|para nada|"
    r"encantad[oa]|con gusto|estupendo|tranquil[oa]"
    r"|ja+|jo|jep|jup|jawohl|klar(?: doch)?|gern(?:e)?|passt(?: schon| mir)?|geht(?: klar)|alles klar|"
    r"in ordnung|kein problem|kein ding"
    r"|naturlich|logo|das (?:war|ware|waere) \w+|ist gut|super gern(?:e)?|sehr gern(?:e)?|machen wir|"
    r"ja besser|mach(?: ich)?|abgemacht"
    r"|oui+|ouais|ouep|d'accord|bien sur|carrement|avec plaisir|volontiers|ca (?:marche|roule)|nickel|entendu|parfait|"
    r"pas de (?:probleme|souci)s?|vas-y|top"
    r"|einverstanden|genau|super|supi|selbstverstandlich|wird gemacht|gut|prima|bin dabei|erledigt)"
    r"(?!\w)"
)
# What is said before the answer itself: `oh yes`, `ay sí`.
INTERJECTION = re.compile(
    r"(?:(?:oh|ay|ah|lol|lmao|omg|uy|ja(?:ja)+|ugh|aw+|uff|ha(?:ha)*|hey|uh|hm+|um|well|bueno|na|ach|tja|"
    r"ok|okay|k|kk|vale|gut|yeah|and|"
    r"also|y|und|then|dann|pues|"
    r"mum|mom|dad|mij[ao]|hij[ao])[,! ]+)+"
)
CLAUSE = re.compile(r"[,.;!?\n:]+\s*|\s+(?:but|pero|aber|so|dann|entonces|pues|then)\s+|\s[-–—]\s")
NO = phrase(
    r"no|nope|nah|naw|sorry(?!,? (?:i )?(?:forgot|late|for|meant|just|only|missed|was))|can'?t|cant|cannot|can not|couldn'?t|"
    r"won'?t|not|unfortunately|wish i could|"
    r"i wish|unable|impossible|don'?t",
    r"no (?:puedo|llego|me da|alcanzo|podre|voy a poder)|imposible|lo siento|yo no|lastima|tampoco",
    r"nein|ne|nee|leider|nicht|unmoglich",
    r"non|nan|impossible|desole\w*|(?:peux|pourrai|peut) pas|helas|pas possible",
)
NO_BUT_YES = phrase(
    r"no (?:worries|worry|problem\w*|prob|biggie|bother|trouble|drama|stress|te preocupes|os preocupeis|"
    r"se preocupen|hay problema|"
    r"pasa nada|bother)|not a problem"
    r"|don'?t (?:worry|rush|stress)|kein(?:e)? (?:problem|ding|thema|sorge)|para nada|no,? claro|"
    r"sin problema|why not|por que no|warum nicht",
    r"pas de (?:probleme|souci)s?|t'inquiete|pourquoi pas|pas grave",
)
# A part of a message that is nothing but a refusal, and what turns the word after it around.
BARE_NO = re.compile(
    r"(?:(?:but|pero|aber) )?(?:no+|nope|nah|naw|(?:i )?(?:can'?t|cannot|won'?t)|no puedo|yo no|"
    r"nein|nee?|geht (?:leider )?nicht|leider nicht)"
)
LAST_YES = re.compile(r"yes|yeah|yea|yep|sure|ok|si|vale|ja|klar|gerne")
ENDS_WITH_YES = re.compile(r"(?<!not )(?<!n't )\byes$")
DENIES = re.compile(r"not|isn'?t|don'?t|hardly|no|nicht|nie")
# Where people say that they are, or what they have: in answer to a call for help it is a refusal, unless it is near.
BUSY = over_folded(
    r"(?:(?:hm+|ugh|uff|oh|ay|ah|na|uh)[, ]+)?(?:i'?m|i am|im|i have|i'?ve got|i got|"
    r"got an? (?!(?:lift|ride|car|minute|sec))|i work|i gotta|"
    r"gotta|"
    r"at work|working|in a|(?:i got|i have|got) \w+ (?:til|till|until)|me too"
    r"|estoy|ando|sigo|tengo|trabajo|yo (?:estoy|tengo|trabajo)|ese dia|a esa hora|bin|ich bin|sitze|"
    r"ich sitze|stecke|hab|habe|ich hab|ich habe"
    r"|(?:ich )?muss (?:ich )?(?:noch|bis|zu[rm]?|nach|ins?|arbeiten|heute|da)|ich hatte|i did|i had|"
    r"fui yo|arbeite|ich arbeite|da (?:bin|hab|habe|muss) ich|je suis|je bosse|je travaille|j'ai (?:rdv|reunion|cours)|"
    r"nous c'est)\b"
)
NEAR = phrase(
    r"near|nearby|close|closer|closest|around|free|available|home|there|here|on it|off|done|in \d+|"
    r"already (?:looking|getting|putting|grabbing|leaving|walking|driving|packing)|"
    r"\d+ ?min\w*|way|coming|leaving"
    r"|away|streets?|(?:bin|bin dann|bin um .{0,8}) da|minutos?|cerca|libre|llegando|camino|en casa|aqui|alli|"
    r"frei|(?:bin|gleich|schon) da|"
    r"unterwegs|nahe|zuhause|daheim|gleich|fertig|weg"
)
# A question that asks for facts, not for help.
ASKS_BACK = re.compile(
    r"(?:wh(?:y|en|ere|at|o|ich)|how|since when|donde|cuando|que|como|por que|a que|cual|wo|wann|warum|"
    r"was|wie|seit wann|um wie viel|welche)\b"
)
ON_CONDITION = re.compile(r"(?:only if|only when|as long as|if you|solo si|si tu|nur wenn|wenn du)\b")
# A line that takes it on, by itself or as an answer.
# Where somebody who takes something on will be; who will be anything else does not.
_BE_THERE = (
    r"(?:there|here|home|back|over|out|down|up|round|by|in(?! (?:an?|the|court|class))|with|on(?! (?:an?|the|nights?|call|shift))|"
    r"waiting|right|driving|picking|taking|the one)"
)
FIRST = phrase(
    rf"i(?: shall|'?ll(?! be (?!{_BE_THERE}))| will(?! be (?!{_BE_THERE}))|'?m gonna|'?m going to|'?ma|mma| can| could|"
    rf"(?:'?ve)? got (?:him|her|them|it|you|u|"
    r"this|that)| get| take| do| pick| drive|"
    r" bring| go| come| cover| stay| watch|'?d (?:love|be happy) to)|(?:leave|leaving) (?:it|that|this|"
    r"them|him|her) (?:with|to) me",
    r"i have (?:him|her|them|it|this)|i'?ve (?:got )?(?:him|her|them|it|this)",
    r"ill (?:get|go|grab|take|do|pick|drive|drop|bring|be|have|cover|scoop|swing|run|stay|watch|leave|"
    r"handle|sort|ask|come|meet|collect|fetch|head|send|call|make|text|book|pop|nip|walk|sit)",
    r"(?:i am|i'?m|im) (?:on it|getting|picking|taking|driving|dropping|bringing|covering|going|coming|"
    r"leaving|heading|free|around"
    r"|closer|close|down|doing|watching|staying|near|nearby|\w+ min\w*)|(?:i am|i'?m|im) (?:here|there|in)(?=\W*$)",
    r"ich (?:wurd|wuerd|konnt|koennt|mocht)e?|(?:yo )?podria|(?:yo )?podemos ir",
    # First persons by their form: `bajo yo`, `yo los espero`, `te lo cambio`.
    r"\w{2,}o yo|yo (?!tengo|estoy|ando|sigo|salgo|creo|quiero|digo|trabajo|pienso|veo|no\b)(?:l[aeo]s? )?\w{2,}o|(?:te|"
    r"os|se) l[aeo]s? \w{3,}o|aqui l[aeo]s? espero",
    r"(?:hatte|haette|hab|habe) (?:ich )?(?:da |noch )?zeit|tengo (?:tiempo|libre)|estoy libre|i have time",
    rf"i'?ll (?!be (?!{_BE_THERE})|need|miss|never|pass|have to|see\b|explain|tell you|think|know|"
    r"say|cry|die|eat)\w+",
    r"gimme (?:\d+|an hour|a (?:sec|minute|bit))|keys in hand|boots on|headed (?:out|over|there)|"
    r"turning (?:a?round|back)|circling back",
    r"ahi estoy|yo estoy|estoy ahi|(?:ahi )?le caigo|(?:lo|la|me) (?:apano|arreglo|resuelvo)|me apano|yo le|"
    r"lo \w+o yo|aqui estoy|cuenten conmigo",
    r"ich (?:sammel|kumm|konnt|hupf|steig|lauf|radl|ruf|schreib|sag|frag|trag|schau)e?|(?:sammel|lauf|ruf|"
    r"schreib|sag|trag|ubernehm)e? ich|"
    r"bin (?:dann|bei|um) .{0,16}(?:da|dort|vor|unten)|steh(?:e)? (?:dann |um .{0,8} )?(?:unten|da|bereit|am)",
    # Somebody speaks of what they are about to do, or have just done, and leaves "I" out.
    r"(?:will )?be (?:right )?(?:there|home|back|over|outside|down) (?:by|in|at|around|before|for|\d)|"
    r"will be there|see (?:you|u) (?:there|then)",
    r"^\W*(?:already )?(?:booked|sorted|handled|signed up|gemacht|gebucht|eingetragen|reservado|apuntado|cambiado)(?!\w)",
    r"(?:can|could|konnte|koennte|podria|puedo) (?:do )?(?:ab|um|bis|from|at|after|a partir de|desde|until|til|till)? ?\d",
    r"(?:^|[,.;!] ?|and |then )(?:will|can|could) (?:just |then )?(?:swing|pop|nip|stop|get|grab|pick|take|drive|drop|bring|"
    r"collect|fetch|"
    r"run|walk|scoop|mind|watch|cover|sort)",
    r"wir (?:kommen|holen|bringen|fahren|nehmen|gehen|ubernehmen|bleiben|passen)|"
    r"(?:los|las|la|lo) (?:recogemos|llevamos|traemos|cuidamos)|"
    r"nos (?:encargamos|ocupamos|quedamos)|ich versuch\w*|(?:ahorita|ahora|ya) l[aoe]s? \w{3,}o|lo intento",
    r"(?:drop|send|bring|leave) \w+ (?:to|with|at) (?:me|us|mine|ours)|(?:bring|schick|gib)\w* \w+ (?:zu )?(?:mir|uns)",
    r"let me|lemme|my turn|we'?ll|we will|we can|on my way|omw|on it|got it|leaving (?:now|in)|"
    r"already (?:left|on|there|here)|heading",
    r"me toca|me (?:acerco|escapo|asomo)|me encargo|me ofrezco|me apunto|ya voy|voy|lo hago|la hago|recojo|llevo|traigo|paso|busco|"
    r"cuido|me quedo|cubro|puedo"
    r"|compro|ya estoy|(?:alli |ahi )?estare|corro|pido|ire|recogere|llevare|pasare|dejamel[oa]s?|"
    r"salgo (?:ya|ahora)|estoy llegando",
    r"mache? ich|ich (?:mach|ubernehm|hol|bring|fahr|nehm|komm|geh|pass|spring|bleib|kummer)e?|"
    r"ich (?:kann|hab sie|hab ihn)"
    r"|(?:geh|fahr|hol|nehm|bring|komm|ubernehm|pass|spring|bleib|kummer)e? ich|kann ich"
    r"|ubernehme?|hole?|bringe?|fahre?|nehme?|komme?|gehe?|passe? auf|springe? ein|kummere?|bleibe?|"
    r"besorge?|hab sie|hab ihn"
    r"|bin (?:da|gleich|schon|unterwegs|auf dem weg|in der nahe|in \d+ ?min\w*)|lass mich",
    r"(?:je |j')(?:vais|passe|passerai|recuper(?:e|ee?s?|er|es|ez|ons|erai|era)|emmen\w+|ramene\w*|amene\w*|depos(?:e|er|"
    r"es|ez|ons|erai)|prends|prendrai|viens|garde\w*|"
    r"m'en (?:occupe|charge)|y (?:vais|serai)|gere|conduis|accompagne|reste avec|ferai|la \w+|les \w+|l'(?:emmene|"
    r"amene|accompagne))|c'est moi qui|(?:on|nous) (?:passe|recupere|emmene|ramene|s'en (?:occupe|charge)|y sera)\w*",
)
# Who could, where nobody asked, offers.
CAN = phrase(
    r"i (?:can|could)|ich (?:kann|konnt?e)|(?:kann|konnte) ich|(?:yo )?(?:puedo|podria)",
    r"je (?:peux|pourrais)",
)
EMOJI_TAKES = frozenset("👍🙋✋🫡💪👌🤝✅☑✔🚗🚙🏃")
EMOJI_ACK = frozenset("👍👌✅☑✔🫡🤝🙏❤💛👏😘😍🥰💙")
THANKS = re.compile(
    r"(?:thanks?(?: you+)?|thx|tysm|ty|tyty|thank u|cheers|ta|gracias|mil gracias|graciass*|"
    r"danke(?:schon)?|danke dir|merci|dankee*|lifesaver|you'?re (?:the best|a star|a saint)|you star|"
    r"love (?:you|u)|te amo|te quiero|legend|hero|bless you|appreciated)(?!\w)"
)
SAME = phrase(
    r"same (?:time|place|day)|(?:a la )?misma hora|(?:zur )?(?:gleichen|selben) (?:zeit|uhrzeit)|"
    r"gleiche (?:zeit|uhrzeit)"
)
WILL_BE = phrase(
    r"(?:is|does|can|will|has (?:it|him|her|them)|est[a]|viene|va|llega|puede|ist|macht|kann|"
    r"kommt)(?=\W*$)|(?:esta|is|ist|steht) (?:llegando|de camino|yendo|en|ahi|alli|fuera|abajo|at|outside|"
    r"there|here|vor|da)",
    r"can (?:bring|take|pick|get|drive|drop|watch|do)|will (?:bring|take|pick|get|drive|drop|watch|do|be)|"
    r"'?s (?:bringing|taking|picking|getting|driving|dropping|watching|doing|on|got|going)|(?:is|"
    r"are) (?:bringing|taking|picking|getting|driving|dropping|watching|doing|on|going)",
    r"(?:brings|takes|picks|gets|drives|drops|watches|does|has|got|takes over|covers)",
    r"(?:l[aoe]s? )?(?:recoge|lleva|trae|busca|cuida|puede|pasa|va|tiene|se queda|recogera|llevara)(?:n)?|"
    r"(?:l[aoe]s )?(?:recoja|lleve|cuide|traiga|busque)",
    r"(?:holt|bringt|nimmt|fahrt|faehrt|passt|macht|ubernimmt|uebernimmt|kann|geht|kommt|bleibt|springt|abholt|hat)",
    r"(?:peut|va|vient|passe|recupere|emmene|ramene|amene|depose|garde|prend|accompagne|s'occupe|"
    r"s'en occupe)(?! (?:tu|pas))",
)
IS_DOING = re.compile(rf"'s |is |{WILL_BE.pattern}")
# Before its subject: `que la recoja Javi`.
LET_DO = over_folded(
    r"(?:recoja|lleve|cuide|traiga|busque|vaya|recoge|lleva|holt|bringt|fahrt|nimmt|passt auf)(?: tu| el|"
    r" la| der| die)?$"
)
YOU_DO = phrase(
    r"that'?s (?:you|u|yours)|ur (?:on|up)|your turn|du bist dran",
    r"(?:you|u)(?:'?ve got|'?ll| have| got| get| do| take| pick| drive| bring| drop| cover|'?re (?:on(?! *[.!]*$)|"
    r"getting|picking|taking|driving|doing))",
    r"tu (?:recoges|llevas|traes|vas|cuidas|te quedas|te encargas|pasas|haces)|te toca|(?:lleva|recoge|"
    r"trae|cuida)(?:l[aoe]s?|tel[aoe]s?)|llevatel[aoe]s?",
    r"(?:hol|bring|nimm|fahr|mach|geh|pass|frag) (?:du|ihr)|(?:recoge|lleva|trae|ve|encargate|quedate) tu",
    r"du (?:holst|bringst|nimmst|fahrst|faehrst|machst|gehst|passt|ubernimmst)|(?:holst|bringst|nimmst|"
    r"fahrst|machst|gehst|passt|abholen|hinbringen) (?:musst )?du|nimmst du mit",
    r"c'est (?:toi qui|a toi)|c'est ton tour|tu (?:recuperes|emmenes|ramenes|deposes|gardes|t'en occupes|passes)",
)
# `getting Noor then shopping`: who says it leaves "I am" out.
SUBJECTLESS = re.compile(
    r"(?:^|[,.;:]\s+|\b(?:ok|k|yes|yeah|sure|already|just|and)\s+)(?:getting|grabbing|picking|taking|"
    r"driving|dropping|bringing|collecting|fetching|heading|leaving|watching|covering|moving|booking)\b"
)
BEFORE_A_CHILD = re.compile(
    r"\b(get|gets|getting|got|pick|picks|picking|grab|grabs|grabbing|take|takes|taking|bring|brings|bringing|run|walk|drop|"
    r"hol(?:e|st|t)?|nehm(?:e)?|nimmst|nimmt|recojo|llevo|traigo|bring(?:e|st|t)?)(?: the| a| up| off|"
    r" sie| den| die)? $"
)
# `I got <child>` and the like; what follows is a child's name where this is asked for.
I_BEFORE_A_CHILD = re.compile(
    r"(?<!\w)(?:i(?:'?ve|'?ll)?|we|yo|ich|me) (?:(?:got|have|take|get|do|a|zu|mit|hab|nehm|hol|"
    r"bring)e? )?(?:the |den |die )?$"
)
CARE_OF_A_CHILD = re.compile(
    r"\b(have|has|keep|keeps|watch|watches|sit|stay|hab|habe|tengo|cuido)(?: the| a| with| on)? $"
)
# A question that offers: `shall I get her?`
OFFERS = phrase(
    r"(?:shall|should) (?:i|we) \w+|(?:can|could) i (?:get|pick|grab|take|drive|bring|drop|watch|cover|help|do|come)|"
    r"(?:do you |would you )?(?:want|like) me to|need me to|soll(?:en|te)? (?:ich|wir)|quieres que|"
    r"queres que|puedo (?:ir|"
    r"llevar|recoger|pasar|traer)\w*",
    r"(?:tu veux|vous voulez) que (?:je|j'\w+)|je peux (?:passer|aller|venir|recuperer|emmener|prendre|garder)\w*",
)
# A question by which somebody offers: `I could take her?`
I_COULD = over_folded(
    r"(?:^|[,.!] )(?:i|we)(?:'?ll| can| could| might) (?:\w+ )?(?:pick|get|take|drive|bring|drop|watch|cover|help|fetch|collect|"
    r"run|sit|stay|mind|walk|do)(?!\w)"
)
IF = re.compile(r"(?<!\w)(?:if|when|unless|si|cuando|wenn|falls)$")
# Behind a name: `Mitch that's you`, `Dwayne you're on cake walk`.
TO_YOU = phrase(
    r"(?:and )?that'?s (?:you|u|yours)|(?:you|u)'?re (?:on|up)|ur (?:on|up)|your turn|te toca|eres tu|"
    r"du bist dran|deins"
)
# `I mean 12`, `no wait, Friday`: what stands before it is taken back.
CORRECTS = phrase(
    r"i mean|i meant|no wait|wait no|scratch that|correction|quiero decir|quise decir|digo|perdon|"
    r"mejor dicho|ich mein(?:e|te)?|ne warte|nein warte|doch erst|quatsch|sorry,? i mean"
)
SAID_BEFORE = phrase(
    r"(?:i|we) (?:told|said|already told|already said)|told you|like i said|as i said|"
    r"(?:ya )?te (?:lo )?dije|ya dije|hab(?:e)? (?:ich )?(?:dir|euch|doch|schon) .{0,20}gesagt|sagte ich"
)
NEXT_ONE = phrase(
    r"(?:no,? )?(?:the )?(?:next|following)(?: one| week)?|(?:no,? )?(?:l[oa]|el|la) (?:proxim[oa]|"
    r"siguiente)|(?:nein,? )?(?:die |den |der )?nachste[nrs]?(?: woche)?"
)
PARENT = phrase(
    r"mom|mum|mommy|mummy|mama|mami|ma|dad|daddy|papa|papi|pa|baba|tata|vati|mutti|your (?:mom|mum|dad|"
    r"father|mother)|tu (?:padre|madre|papa|mama)|(?:der|die|dein|deine) (?:papa|mama|vater|mutter)",
    r"maman|mamie|papi|papy|(?:ton|ta) (?:pere|mere)",
)
# Alone, or with hardly a word beside it, it is an answer; within a sentence it says nothing.
# `i assumed you`, `du wohl`: hands it back to whoever asked.
ENDS_WITH_YOU = re.compile(r"(?<!\w)(?:you|u|tu|ti|vos|du|dich)\W*$")
# `you. 2.20, bring the form`.
BEGINS_WITH_YOU = re.compile(r"(?:you|u|tu|vos|du)\s*[.!,]\s")
BARE_ME = phrase(
    r"(?:me|myself|mine|i|yo|ich|conmigo|a mi|wir|nosotros|both of us)"
    r"(?=(?: then| again| today| tonight| if| entonces| dann| halt)?(?:\W*$|\s*[,.!:])| if )",
    r"moi(?=(?: alors| aussi| si)?(?:\W*$|\s*[,.!:]))",
)
# `ab 11 ich`, `de 11 en adelante yo`.
ENDS_WITH_ME = re.compile(r"(?<!\w)(?:ich|yo)\W*$")
# Emoji and marks before the first word.
SIGNS = re.compile(r"^[^\w¿¡]+")
# Near, on the way or ready: after a call for help it takes it on.
SETS_OUT = phrase(
    r"\d+ ?(?:min\w*|out|away|secs?)|gimme|give me|(?:in|have|get) the (?:car|truck|van|lot)|keys?|(?:boots?|"
    r"shoes?|coat|jacket) on|"
    r"near\w*|close(?:r|st|by)?|around|free|ready|here|there|outside|downstairs|round the corner|next door|"
    r"streets?|blocks?|way|"
    r"coming|going|leaving|left|headed|heading|turning|driving|walking|pulling|parked|moving|swapp\w*|cover\w*|"
    r"got|have (?:a|the|time)|"
    r"signed|booked|sorted|handled|covered|texted|called|asked|standing by|wouldn'?t miss|volunteer\w*|"
    r"put me down|sign me up|leave it|my (?:turn|day|night)|"
    r"minut\w+|cerca|lado|esquina|cuadras?|libre|listo|lista|saliendo|salgo|llego|llegando|camino|estoy|voy|"
    r"apunto|apano|arreglo|encargo|coche|auto|"
    r"nah|nahe|ecke|unterwegs|auto|rad|frei|fertig|los|gleich|da|daheim|weg|dabei|eingetragen|gebucht|erledigt|"
    r"gemacht|notiert|schon|trag|schlussel"
)
CONDITION = phrase(
    r"si (?:necesitan|necesitais|necesitas|quieren|queres)|wenn (?:du|ihr) (?:mich |was |jemanden )?brauch\w*",
    r"hatte ich|haette ich|tendria|free if",
    r"si quereis|si quieren|wenn (?:du|ihr) (?:willst|wollt|magst|mogt)|wurde|wuerde|happy to|free (?:on|to)",
    r"if|unless|could|might|maybe|perhaps|podria|si (?:quieres|puedo|hace falta)|a lo mejor|quiza|quizas|"
    r"konnte|falls|wenn|vielleicht",
    r"peut-etre|au cas ou|si (?:tu veux|vous voulez|besoin|ca t'arrange|jamais)",
)
