"""What secrets look like beyond the package's rules: as RE2 patterns, the secret in the first group where there is one."""

# Said of what follows, in the languages that people write in here.
SAID_BEFORE = (
    r"(?:pass[ _-]?(?:word|wd|phrase|code)|pwd?|(?:alarm|door|gate|entry|safe|recovery|backup|access|zugangs|tür)[ -]?code"
    r"|passwort|kennwort|passwd|contrase[nñ]a|clave de acceso|mot[ _]de[ _]passe|senha|palavra[ -]passe|wachtwoord|has[lł]o"
    r"|parola d'ordine|lösenord|salasana|adgangskode|пароль|パスワード|密码)"
)
NAMED_KEY = (
    r"(?:(?:api|app|access|auth|client|consumer|encryption|private|secret|service|session|shared|signing|storage|account|bot|deploy"
    r"|refresh|bearer)[ _.-]?(?:access[ _.-]?)?(?:key|token|secret)|secret|token|credentials?|otp|2fa[ _-]secret)"
)
IS = r"""["']?\s{0,3}(?::=|=>|[:=]|\b(?:is|was|ist|war|lautet|es|est|è|é|är|on|now|(?:changed|set|reset) to)\b:?)\s{0,3}["'`„“«]?"""
# "the password for the router is …"
OF_WHAT = r"(?:\s(?:for|of|to|at|on|für|von|vom|zum|zur|del?|du|des|pour|para|voor|van)(?:\s[^\s:=]{1,30}){1,4})?"
BEGIN_KEY = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
END_KEY = r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
BREAK = r"(?:\\[nr]|\s)"

# Kind, pattern, and the check that its secret must pass (`finding.CHECKS`).
RULES = (
    ("token", r"\bcs_[A-Za-z0-9_-]{20,}", ""),
    (
        "private key",
        BEGIN_KEY + rf"(?:{BREAK}+[A-Za-z-]{{3,30}}: [^\r\n\\]{{0,200}})*(?:{BREAK}+[A-Za-z0-9+/=]{{16,}})*"
        rf"(?:{BREAK}+[A-Za-z0-9+/=]{{1,64}})*{BREAK}*{END_KEY}",
        "",
    ),
    ("private key", BEGIN_KEY + rf"(?:{BREAK}+[A-Za-z0-9+/=]{{16,}})*", ""),
    # The package stops before the signature.
    ("token", r"\beyJ[\w-]{8,}\.eyJ[\w=-]{4,}(?:\.[\w.+/=-]*)?", ""),
    # Tokens that are younger than the package's rules.
    (
        "token",
        r"\b(?:sk-ant-[\w-]{20,}|sk-(?:proj|svcacct|admin|or-v1)-[\w-]{20,}|github_pat_\w{22,}|AIza[\w-]{35}|ya29\.[\w-]{20,}"
        r"|hf_[A-Za-z]{30,}|npm_[A-Za-z0-9]{36}|do[opr]_v1_[0-9a-f]{64}|glagent-[\w-]{50,}|xapp-[\w-]{20,}|xoxe[.-][\w.-]{20,}"
        r"|[rs]k_(?:live|test)_\w{16,}|whsec_[\w+/]{24,}|shp(?:at|ss|ca|pa)_[0-9a-f]{32}|dckr_(?:pat|oat)_[\w-]{20,}|hv[sb]\.[\w-]{20,}"
        r"|lin_api_\w{30,}|sntry[su]_[\w+/=]{40,}|ATATT3[\w=-]{20,}|AGE-SECRET-KEY-1[0-9A-Z]{50,}|gsk_\w{30,}|xai-\w{40,}|r8_\w{30,}"
        r"|pplx-\w{30,}|tskey-[\w-]{20,}|ntn_\w{30,}|PMAK-[\w-]{30,}|figd_[\w-]{30,}|sbp_[0-9a-f]{40}|rpa_\w{30,}|vc[apikr]_\w{20,}"
        r"|HRKU-[\w-]{30,}|key-[0-9a-z]{32}|pat[A-Za-z0-9]{14}\.[0-9a-f]{64}|[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}|EAA[A-Za-z0-9]{80,}|dp\.(?:pt|st|sa)\.\w{40,})",
        "token",
    ),
    ("token", r"(?i)\bauthorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:bearer|basic|token)\s+([\w.~+/=-]{16,})", "token"),
    ("key", r"""(?i)\baws.{0,20}?secret.{0,20}?[:=]\s{0,3}["']?([0-9a-zA-Z/+]{40})\b""", ""),
    ("key", rf"(?i)(?:\b|_){NAMED_KEY}{OF_WHAT}{IS}([^\s\"'`,;<>()]{{12,400}})", "random"),
    ("password", rf"(?i)(?:\b|_){SAID_BEFORE}{OF_WHAT}{IS}([^\s\"'`<>“”»]{{4,200}})", "password"),
    (
        "password",
        r"(?i)\b(?:login|credentials|zugang|anmeldung|log in with)[^\n]{0,10}?:\s[^\s]{2,60}\s?/\s?([^\s\"'`]{6,100})",
        "password",
    ),
    ("password", r"""(?i)(?:\b|_)pass["']?\s{0,2}[:=]\s{0,3}["']?([^\s"'`]{4,100})""", "password"),
    ("password", r"\b(?:curl|wget|http)\s[^\n]{0,80}?(?:-u|--user)[ =]\"?[\w.@-]{1,60}:([^\s\"'`]{4,100})", "password"),
    ("password", rf"(?i)\b{SAID_BEFORE}\s+([^\s\"'`<>]{{8,100}})", "strong"),
    (
        "password",
        r"(?i)\b(?:pin(?:[ -]?code)?|puk|tan)(?:\s(?:for|of|für|von)(?:\s[^\s:=]{1,20}){1,3})?"
        r"\s{0,2}(?::|=|\bis\b|\bist\b)\s{0,3}(\d{4,8})\b",
        "",
    ),
    ("password", r"(?:^|[\s\"'(=<])[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,100}:([^\s/@\"'<>]{3,200})@[\w\[]", "password"),
    ("card", r"\b\d(?:[ -]?\d){12,18}\b", "card"),
)  # fmt: skip

# Of social and tax numbers: what stands for one, the module of python-stdnum that checks it, and the words one of which must
# stand before it where a number alone says too little.
SOCIAL_NUMBERS = (
    (r"\d{3}-\d{2}-\d{4}", "us.ssn", ""),
    (r"\d{3}[ -]?\d{2}[ -]?\d{4}", "us.ssn", r"ssn|social(?: security)?(?: number)?"),
    (r"756\.\d{4}\.\d{4}\.\d{2}", "ch.ssn", ""),
    (r"[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]", "it.codicefiscale", ""),
    (r"[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?\d{2} ?\d{3} ?\d{3} ?\d{2}", "fr.nir", ""),
    (r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", "be.nn", ""),
    (r"\d{3}\.\d{3}\.\d{3}-\d{2}", "br.cpf", ""),
    (r"\d{6}[-+]\d{4}", "se.personnummer", ""),
    (r"\d{6}[-+A]\d{3}[0-9A-Z]", "fi.hetu", ""),
    (r"\d{11}", "pl.pesel", r"pesel"),
    (r"\d{2} ?\d{3} ?\d{3} ?\d{3}", "de.idnr", r"steuer-?id\w*|idnr\.?|steueridentifikationsnummer|tax id"),
    (r"\d{4} ?\d{6}", "at.vnr", r"sozialversicherungsnummer|sv-?nr\.?|svnr\.?|versicherungsnummer"),
    (r"\d{9}", "nl.bsn", r"bsn|burgerservicenummer|sofi-?nummer"),
    (r"\d{8}-?[A-Z]", "es.dni", r"dni|nif"),
    (r"[XYZ]-?\d{7}-?[A-Z]", "es.nie", r"nie|nif"),
    (r"\d{6}-?\d{4}", "dk.cpr", r"cpr\w*"),
    (r"\d{6} ?\d{5}", "no.fodselsnummer", r"fødselsnummer|personnummer"),
    (r"\d{3}[ -]?\d{3}[ -]?\d{3}", "ca.sin", r"sin|social insurance number|nas"),
    (r"\d{7}[A-W][A-IW]?", "ie.pps", r"ppsn?|pps number"),
    (r"\d{4} ?\d{4} ?\d{4}", "in_.aadhaar", r"aadhaar"),
)  # fmt: skip
# Without a check digit the word before it and its form have to do.
UNCHECKED_NUMBERS = (
    r"(?i:\bssn|\bsocial)\D{0,25}?(\d{3}[ -]\d{2}[ -]\d{4})\b",
    r"(?i:national insurance|\bni(?:no)?\b)\D{0,25}?([A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D])\b",
    r"(?i:sozialversicherungsnummer|rentenversicherungsnummer|sv-?nr\.?|rvnr\.?)\D{0,25}?(\d{2} ?\d{6} ?[A-Z] ?\d{3})\b",
)
CARDS = (
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14}"
)
