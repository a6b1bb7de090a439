"""A small OpenID provider over HTTP: discovery, keys, the code flow with PKCE, signed id tokens. All come in as `claims`."""

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "countersign", "between us"


class IdentityProvider:
    """`claims` are said of whoever comes; `wrong` spoils an answer: a key of the id token, or `signature`."""

    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig", "alg": "RS256"})
        self.claims: dict[str, Any] = {}
        self.wrong: dict[str, Any] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.server = HTTPServer(("127.0.0.1", 0), type("Handler", (Handler,), {"provider": self}))
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def authorize(self, asked: dict[str, str]) -> str:
        """Where the browser is sent back to."""
        assert asked["response_type"] == "code" and asked["client_id"] == CLIENT, asked
        assert asked["code_challenge_method"] == "S256" and "openid" in asked["scope"].split(), asked
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, asked: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        known = self.codes.pop(asked["code"], None)
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".replace(" ", "+").encode()).decode()
        plain = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if known is None or authorization not in (f"Basic {basic}", f"Basic {plain}"):
            return 400, {"error": "invalid_grant"}
        hashed = base64.urlsafe_b64encode(hashlib.sha256(asked["code_verifier"].encode()).digest()).rstrip(b"=")
        if hashed.decode() != known["code_challenge"] or asked["redirect_uri"] != known["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        said = {"iss": self.issuer, "aud": CLIENT, "sub": "1", "iat": now, "exp": now + 60, "nonce": known["nonce"]}
        key = self.wrong.get("signature") or self.key
        id_token = jwt.encode({"alg": "RS256", "kid": "one"}, said | self.claims | self.wrong.get("said", {}), key)
        return 200, {"access_token": "a", "token_type": "Bearer", "expires_in": 60, "id_token": id_token}


class Handler(BaseHTTPRequestHandler):
    provider: IdentityProvider

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path == "/authorize":
            self.send_response(302)
            self.send_header("Location", self.provider.authorize(dict(parse_qsl(url.query))))
            self.end_headers()
        elif url.path == "/keys":
            self.answer(200, {"keys": [self.provider.key.as_dict(private=False)]})
        else:
            assert url.path == "/.well-known/openid-configuration", url.path
            self.answer(200, self.provider.metadata())

    def do_POST(self) -> None:
        asked = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        self.answer(*self.provider.token(asked, self.headers.get("Authorization", "")))

    def answer(self, status: int, body: dict[str, Any]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *args: Any) -> None:
        """Nothing."""
