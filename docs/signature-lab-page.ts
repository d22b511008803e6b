import { CAUSES, PARTS, type Part } from '../contracts/protocol/lab/causes.ts'
import { code, table } from './table.ts'

/** A sentence for which there is no request to fill its slots from. */
const cell = (text: string): string => text.replaceAll(/\{\w+\}/g, '…').replaceAll('|', '\\|')

const causesOf = (part: Part) => Object.entries(CAUSES).filter(([, [own]]) => own === part)

/** docs/signature-lab.md: how to use the lab, and everything that it recognises (5.2). */
export const signatureLabPage = (): string => `# The signature lab

A signature either verifies or it does not, and a 401 says no more. The lab says why: which step fails, what was signed in
place of what should have been, by which key, and what to change. It then does it right, so that there is something to
compare with.

## Three ways to ask

**In the portal**: open an organization, then *Signature lab*. Calls that were refused for their signature are listed; pick
one, or paste a request. A refused call in the journal has a button that leads here.

**As a command**, with nothing leaving the machine:

\`\`\`sh
npx assay lab refused.http --kit .assay/kit/demo-merchant
curl -v … 2>&1 | npx assay lab --key my-key-id=public.pem
npx assay lab refused.http --key public.pem --base base.txt      # the base that your client built
npx assay lab one.http --also another.http                       # which key made both?
npx assay lab --control http://localhost:8080 --call CALL-ID     # a call of a running simulator
\`\`\`

It exits with 0 where the signature verifies, 1 where it does not, 2 where it cannot tell what is asked. \`--json\` prints
everything; \`assay help lab\` explains each option.

**Over control**: \`POST /control/organizations/{organizationId}/lab\` with \`{"call": "…"}\` or \`{"request": "…"}\`, and
\`base\` if you have it.

A request may be raw HTTP, what \`curl -v\` prints, a curl command, an entry of a HAR file, or a call of the journal as JSON.
Line ends that a form or a terminal changed in the body are put right where \`Content-Length\` tells how. A body that is
masked, cut off or not shown is not judged; its signature is, by the digest that was sent. A call whose address held a token
is masked there too, in the journal: paste it as it was sent.

## What it does

1. **Each step is judged**, also behind the first fault: headers, grammar, label, components, parameters, time, key,
   algorithm, encoding, digest, signature. What a strict reader would refuse is read kindly, so that the rest can be judged.
2. **The digest is searched for**: the body written by other programs, with other line ends, in other encodings.
3. **The base is searched for.** As it should be, then with one thing otherwise, then with two, the likeliest first: the
   table below, several spellings of each. The same for hash, encoding, and every key of the organization, that of its client
   certificate too. Where two causes yield the same bytes, both are told. Keys of other organizations are never tried.
4. **A key that nobody registered is recognised.** An ECDSA signature and its message leave two possible keys; the one that
   two requests have in common made both. The lab shows it, ready to be registered.
5. **The bases stand side by side**, the first difference marked, with signs for what cannot be seen: line ends, tabs, marks,
   blanks at the ends.
6. **It is done right**: the base, the openssl command, and with a key of the kit the headers and the whole call.

A search that finds nothing on P-256 takes a few seconds and some ten thousand verifications, on P-521 it ends with its
budget and says so: eight seconds in the simulator, \`--seconds\` of the command. One search runs at a time, on the thread
pool, a few verifications each turn: calls of the API go on.

## What it recognises

The identifier is \`cause\` in the answers of control and of \`--json\`.

${Object.entries(PARTS)
  .map(
    ([part, cure]) => `### ${part}

Cure: ${cell(cure)}.

${table(
  ['Cause', 'Sentence'],
  causesOf(part as Part).map(([cause, [, sentence]]) => [code(cause), cell(sentence)]),
)}`,
  )
  .join('\n\n')}

## What other tools show

Looked at in public: explainers that build a base from an example (protocol-explorer.dev), decoders that parse the two
headers and judge their parameters without verifying, and verifiers that rebuild the base and say yes or no, with the first
fault of the headers at best (the debug endpoint of the web-bot-auth examples, demo services that take the public key along
with the request, the botgate analyser on PyPI). Libraries are asked for less: to hand out the base at all
(github.com/yaronf/httpsign, issue 13).

None that we found compares with the base that the client built, tells from a signature what was signed instead, notices that
another key made it, or recognises a key that it has never seen.
`
