/** The help text of `assay lab`. */
export const LAB_HELP = `Explains what is wrong with a signed request, what was signed instead, and how to sign it correctly.

  assay lab [FILE] [options]

  FILE               the request as it was sent, or - for stdin (the default): raw HTTP, the output of "curl -v", a curl
                     command, an entry of a HAR file, or a call of the journal as JSON
  --kit PATH         keys of a kit: its folder or its kit.json; the client certificate's key is tried too
  --key [ID=]FILE    a key: PEM, JWK or certificate, with its keyid in front; repeatable
  --base FILE        the signature base that your client built, byte for byte, or as a JSON string in quotes
  --also FILE        another request of the same client: two requests reveal the key that signed, even an unregistered
                     one; repeatable
  --control URL      ask a running simulator, which knows all keys of the organization
  --call ID          a call in the journal of that simulator, in place of FILE; without --control that of ASSAY_URL, else of
                     the sandbox that runs in this folder
  --organization ID  the organization in that simulator (demo-merchant)
  --strict FORM      accept one form only: rfc or literal for the last line, der or raw for the signature; repeatable
  --seconds N        maximum search time (10)
  --json             everything as JSON
  --help             this text

  curl -v … 2>&1 | assay lab --kit .assay/kit/demo-merchant
  assay lab refused.http --key my-key-id=public.pem --base base.txt
  assay lab --call 0f8fad5b-d9cb-469f-a165-70867728950e

The command judges every step of clause 5.2. If the signature does not verify, it tries known client mistakes, one and then
two at a time, with every available key, and reports the match. docs/signature-lab.md lists the mistakes. Without --control
and --call, nothing is sent to other machines.
Exit codes: 0 the signature verifies, 1 it does not, 2 invalid options or unreadable input.
`

/** The command-line options of `assay lab`, for parseArgs. */
export const LAB_OPTIONS = {
  kit: { type: 'string' },
  key: { type: 'string', multiple: true },
  base: { type: 'string' },
  also: { type: 'string', multiple: true },
  control: { type: 'string' },
  call: { type: 'string' },
  organization: { type: 'string' },
  strict: { type: 'string', multiple: true },
  seconds: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const
