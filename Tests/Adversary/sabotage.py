"""An openwo with a planted bug, for --self-test: what the checks of a world must notice. OPENWO_SABOTAGE names the bug, OPENWO_REAL the program."""

import json
import os
import re
import subprocess
import sys
import time

bug, real = os.environ["OPENWO_SABOTAGE"], os.environ["OPENWO_REAL"]
verb, words = sys.argv[1], [real, *sys.argv[1:]]
if verb == "watch":
    if bug == "watch sleeps":
        time.sleep(3600)
    elif bug == "watch ends":
        sys.exit(0)
    elif bug == "watch tells of nothing":
        print(json.dumps({"command": "watch", "event": "captured", "version": "0" * 64, "reason": "external"}), flush=True)
    elif bug == "watch prints words":
        print("captured a version", flush=True)
elif bug == "old version named" and verb in ("sync", "status") and "--json" not in words:
    done = subprocess.run(words, capture_output=True, text=True)
    history = subprocess.run([real, "history", sys.argv[2], "--json"], capture_output=True, text=True).stdout
    first = json.loads(history)["versions"][-1]["id"][:12] if history else ""
    print(re.sub(r"(version +)[0-9a-f]{12}$", rf"\g<1>{first}", done.stdout, flags=re.MULTILINE), end="")
    sys.exit(done.returncode)
os.execv(real, words)
