import { CHECKOUT_RULES } from '../contracts/conduct/checkout.ts'
import { CONDUCT_RULES } from '../contracts/conduct/judge.ts'
import { MAY_TAKE } from '../contracts/conduct/traffic.ts'
import { builtInDrills } from '../simulator/scenarios/drills.ts'
import { code, table } from './table.ts'

const drills = builtInDrills()
const drillsFor = (id: string): string =>
  drills
    .filter(({ rules }) => rules.includes(id))
    .map(({ name }) => code(name))
    .join(', ')

/** docs/conduct.md: what a merchant's integration is graded by, and what it is put through. */
export const conductPage = (): string => `# Conduct

A sandbox sees everything that a merchant's integration does. So it can grade the merchant as the suites grade a service:
by rules with stable ids, each with the clause that it stands for. A rule **fails** by one breach, **passes** where there
was an occasion and it was kept, and is **not exercised** where nothing gave an occasion: nothing passes unseen. Every
verdict names the calls, deliveries or the payment that show it.

What has not been done may still come: a shop has ${MAY_TAKE / 1000} seconds of real time before something is missing.

## Drills

A drill makes one thing go wrong, lets a shopper go through the checkout, and judges what the shop did about it.

\`\`\`sh
npx assay drill --run "npx playwright test checkout" --organization demo-merchant --report reports/drills
\`\`\`

The command goes through your checkout once, and ends when the shop knows what came of it. It finds \`ASSAY_DRILL\`,
\`ASSAY_RUN\`, \`ASSAY_URL\` and \`ASSAY_ORGANIZATION\` in its environment. Without \`--run\` you are the shopper: the drill says what to do and waits. \`--passive\` drills nothing and
grades what has been done already. The page *Conduct* of the portal does the same by buttons.

| Exit code | |
| --- | --- |
| 0 | every rule passed |
| 1 | a rule is broken |
| 2 | wrong options |
| 3 | nothing could be measured, or no sandbox answers |
| 5 | some rule was not exercised |

\`report.html\` shows for each verdict the exchanges that prove it, side by side where there are two; \`report.json\` and
\`junit.xml\` are for programs, and \`assay certify verify DIR\` checks the signed certificate beside them.

${table(
  ['Drill', 'What happens', 'The shopper', 'Judges'],
  drills.map(({ name, title, ask, rules }) => [code(name), title, ask, rules.join(', ')]),
)}

Drills are data, in \`scenarios/drills/\`. They move the clock of the organization and disarm its faults: give a shop that
is drilled an organization of its own.

## Rules

${table(
  ['Rule', 'Clause', 'What it says', 'Why', 'Drills'],
  CONDUCT_RULES.map(({ id, clause, title, why }) => [id, clause, title, why, drillsFor(id)]),
)}

### A new signing key

\`KEY_ROTATION\` pays three times. Before the second payment the sandbox puts new signing keys first into the kit, and lets
all others end a week later; before the third that week is over. So the shop has to take a new key over in between, in
one of three ways:

- it asks for its key before each call, as [\`examples/shop/main.ts\`](../examples/shop/main.ts) does with the option
  \`signingKey\` of the merchant;
- your command does it when it finds \`ASSAY_RUN=2\`: it reads \`GET /control/organizations/$ASSAY_ORGANIZATION/kit\` and
  gives the shop \`signingKeys[0]\`, by whatever means you deploy;
- you register a key pair of your own, over control or in the portal, and go over to it.

When the drill ends, the old keys hold again: a shop that kept its key works on.

## The checkout page

What no call shows is judged in a browser. [\`lintCheckout\`](test-my-shop.md) looks for this in your Playwright tests:

${table(
  ['Finding', 'What it says', 'Why'],
  CHECKOUT_RULES.map(({ id, title, why }) => [id, title, why]),
)}

## Over control

\`\`\`sh
curl http://localhost:8080/control/organizations/demo-merchant/conduct
curl -X POST http://localhost:8080/control/organizations/demo-merchant/drills/LOST_INITIATE/begin
curl -X POST http://localhost:8080/control/organizations/demo-merchant/drills/LOST_INITIATE/end \\
  --json '{"since":"2026-01-05T12:00:00.000Z"}'
\`\`\`
`
