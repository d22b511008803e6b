/** Pages of the docs: purpose, file and content. A test compares this list with the folder. */
// biome-ignore format: a table reads by its columns
export const PAGES = [
  // to do                            file                      what is in it
  ['Test my shop',                    'test-my-shop.md',         'from an empty folder to a green Playwright test of a BLIK payment; IRIS, clock, webhooks, faults, vitest'],
  ['Certify a deployment',            'certify.md',              'judge any base URL by the checks of the contract: profile, reports, certificate of conformance, exit codes'],
  ['Find what no check tries',        'explore.md',              'random calls judged by a model of the contract, and the shortest sequence that violates it'],
  ['Speak as the real thing does',    'from-the-real-thing-to-your-ci.md', 'learn how a deployment spells and decides, and let the sandbox do the same'],
  ['Grade my integration',            'conduct.md',              'the rules of conduct, the drills that test them, and what a verdict means'],
  ['Run it for a team',               'run-it-for-a-team.md',    'container, control token, names and addresses, demo data, snapshots, retention'],
  ['Upgrade it while it runs',        'upgrade.md',              'one process, or replicas one by one: what may run side by side, what waits, how to go back'],
  ['Run it for a whole company',      'scaling.md',              'PostgreSQL and several replicas: what they share, cost and limits, a public sandbox, several databases'],
  ['Run it in CI',                    'containers.md',           'the image, compose, GitHub Actions, GitLab, Testcontainers'],
  ['See where it runs',               'installations.md',        'which Node, npm, network, container and language installs it and pays, with seconds and megabytes'],
  ['Pay from another language',       'other-languages.md',      'the kit of any organization; a first payment in seven languages; what every client has to do'],
  ['Add a scenario',                  'add-a-scenario.md',       'an outcome of your own as a few lines of YAML, or a built-in one'],
  ['Add an operation',                'add-an-operation.md',     'every file and table that a new call of the API touches'],
  ['Add a payment method',            'add-a-payment-method.md', 'every file and table that a third method changes'],
  ['Find your way in the code',       'architecture.md',         'the rooms and who may import whom, the way of a call, the way of a check, drawn'],
  ['Rotate keys and certificates',    'keys-and-certificates.md', 'signing keys, certificate requests, other authorities, revocation'],
  ['Fix a refused signature',         'signature-lab.md',        'every cause that the lab recognizes, with its fix'],
  ['Look up an option or a call',     'reference.md',            'options, commands, calls of control, calls of the API'],
  ['Look up a refusal or a code',     'errors.md',               'refusals, reason codes, codes of the providers, declines'],
  ['Look up a scenario',              'scenarios.md',            'every named outcome, and three ways to select one'],
  ['Look up a fault',                 'faults.md',               'failures between merchant and provider that can be injected'],
  ['Look up a state',                 'lifecycle.md',            'states and transitions of a payment, as a diagram and as tables'],
  ['Look up a term',                  'glossary.md',             'terms of payments, of the specification and of this project, with their place in the tree'],
  ['See what the checks catch',       'kill-matrix.md',          'which check catches which mutant, a deliberately broken simulator'],
  ['See what they find on a stranger', 'stand-in-matrix.md',    'a server by other hands with planted violations, and which check fails each'],
  ['See the figures',                 'figures.md',              'measurements of speed, memory, growth and soak, with the machine and the commands'],
  ['See why a library is there',      'dependencies.md',         'the reason for each dependency'],
  ['See its licence',                 'licences.md',             'installed packages with version and licence'],
  ['Judge its security',              'threat-model.md',         'interfaces and access, attacks and protections with their tests, what is out of scope'],
] as const

const NOT_MARKDOWN = [
  ['contracts/openapi.yaml', 'the API, OpenAPI 3.1'],
  ['simulator/control/openapi.yaml', 'control, the REST API that drives the sandbox, OpenAPI 3.1'],
  ['contracts/DECISIONS.md', 'what was chosen where the interface document is silent'],
  ['contracts/CHECKS.md', 'where the checks differ from their first catalogue'],
  ['scenarios/scenario.schema.json', 'JSON Schema of scenario files'],
  ['examples/shop/shop.ts', 'a small shop that pays by BLIK and IRIS'],
  ['examples/first-payment.ts', 'a first payment in TypeScript'],
] as const

/** Returns the text of docs/README.md: the index of the docs. */
export const indexPage = (): string => `# Find your way

${PAGES.map(([wish, file, what]) => `- **[${wish}](${file})**: ${what}`).join('\n')}

Other files:

${NOT_MARKDOWN.map(([file, what]) => `- [\`${file}\`](../${file}): ${what}`).join('\n')}
`

/** Returns the text of docs/llms.txt: the index of the docs for language models. */
export const llmsText = (): string => `# Assay

> A sandbox for an account-to-account payment API (BLIK in Poland, IRIS in Greece) behind mutual TLS, OAuth tokens and RFC 9421
> signatures, and the contract tests that certify any deployment of it. One Node process with one SQLite file, or
> several processes over one PostgreSQL database. No real money, no bank.

Start it with \`npm ci && npm start\`: the API is at https://localhost:8443, the shopper's pages, the portal and control are at
http://localhost:8080. Tests create an organization of their own by \`POST /control/organizations\`; its kit contains every credential.

## Docs

${PAGES.map(([wish, file, what]) => `- [${wish}](${file}): ${what}`).join('\n')}

## Files

${NOT_MARKDOWN.map(([file, what]) => `- [${file}](../${file}): ${what}`).join('\n')}
`
