"""Classes of English words by what they do in a sentence that decides, commits or forbids. A class stands for all of its words, so
that what is learnt from one holds for the others."""

from typing import Final

_CLASSES: Final = {
    "DECIDED": """agreed decided accepted approved adopted rejected declined resolved concluded appointed elected chosen chose
    picked settled ratified confirmed granted endorsed passed passes carried agrees decides accepts approves resolves opted
    elects nominated assigned voted determined selected established finalised finalized""",
    "PUTOFF": """postponed deferred tabled delayed skipped skipping skip cancelled canceled dropped dropping closing closed removed
    withdrawn abandoned postpone defer table reverted punt punted parked descoped superseded scrapped shelved""",
    "ACCORD": """consensus agreement decision decisions conclusion unanimous unanimously objection objections quorum motion
    resolution majority vote votes lgtm approval verdict outcome concurrence""",
    "YES": "ok okay yes yep yeah fine agree agrees approve accept +1 good sure sgtm ack done aye go",
    "WILL": "will 'll gonna shall going",
    "PLAN": "plan plans planning planned intend intends intention aim aims aiming target targeting hope hopes expect expects goal",
    "MUST": "must need needs required mandatory requires require prohibited forbidden allowed permitted supposed needed",
    "SHOULD": "should ought",
    "ALWAYS": "always never only ensure every any all before after unless without instead exactly strictly",
    "NOT": "not don't won't didn't doesn't isn't aren't can't cannot shouldn't mustn't wouldn't no never nothing none nobody",
    "SOFT": """could would might may maybe perhaps possibly probably think thinks thought suggest suggests suggested suggestion
    propose proposes proposed proposal consider considering wonder wondering idea ideas option options if whether feel feels
    believe believes seems seem looks likely like wants""",
    "TAKES": """volunteer volunteers volunteered offered offers offering assigned responsible owns owner happy willing lead leads
    takes commit commits committed promised""",
    "PAST": "was were had did been already has have 've got previously earlier last",
    "IS": "is are be being am 'm 're",
    "I": "i me my",
    "WE": "we us our let",
    "YOU": "you your please pls kindly",
    "THEY": "they he she them it its this that these those there who which",
    "BODY": """group committee board council team teams members member everyone everybody someone somebody chair chairs editors
    editor authors author maintainers maintainer tsc tac toc pmc wg cpc people participants attendees folks staff contributors
    reviewers developers owners""",
    "WHEN": """today tomorrow monday tuesday wednesday thursday friday week weeks month months next meeting meetings soon later
    tonight eod eow january february march april june july august september october november december release""",
    "ASK": "what why how when where who which does do can",
    "BETTER": "prefer prefers preferred favor favour rather over better best avoid instead",
    "SAYS": """said says noted notes mentioned mentions explained explains asked asks reported reports discussed discusses
    discussion raised raises pointed points thanked presented presents shared shares gave added adds remarked described stated
    commented clarified responded replied""",
}  # fmt: skip
# Verbs in the form that follows "to" or "will", and that orders where it opens a sentence.
VERBS: Final = """add address adhere adjust adopt adapt align allow amend announce annotate answer append apply approach archive
arrange ask assess assign assume attach attend audit avoid backport bring build bump call capture carry change check circulate
clarify clean clear close collect combine come comment commit communicate compare compile complete comply confirm connect contact
continue contribute convert coordinate copy cover create cut deal declare define delay delete deliver deploy deprecate describe
design determine develop disable discuss distribute do document double draft drop edit eliminate email emit enable encourage enforce
ensure establish estimate evaluate examine exclude exercise expand explain explore expose express extend extract figure file fill
finalise finalize find finish fix focus follow format forward gather generate get give go guarantee guard handle have help hold
host identify ignore implement import improve include inform initiate insert inspect install integrate introduce invest investigate
invite iterate join keep land launch lead learn leave let limit link list listen load log look maintain make manage map mark measure
meet mention merge migrate minimize modify monitor move name notify obtain open optimize organise organize outline package pass
perform pick pin ping place plan play post postpone prefer prepare present preserve prevent print prioritise prioritize proceed
produce promote propose provide publicise publish pull push put raise reach read rebase recommend reconsider record redesign reduce
refactor refer refine refrain register reject release rely remain remember remove rename reopen repeat replace reply report request
require research resolve respect respond restore restrict retain return reuse revert review revise revisit rewrite roll run save
schedule scope search see select send separate serve set setup share ship show sign simplify skip solicit solve sort specify split
spread stage standardise standardize start state stay stick stop store structure study submit suggest summarise summarize support
switch sync synchronize tag take talk target tell test think tighten track transfer translate treat trigger try turn type understand
unify update upgrade upload upstream use validate verify visit vote wait watch work wrap write""".split()

CLASS_OF: Final = dict.fromkeys(VERBS, "VERB") | {
    word: name for name, words in reversed(_CLASSES.items()) for word in words.split()
}
