import { builtInScenariosSource } from '../simulator/scenarios/open-scenario-catalogue.ts'
import { SCENARIO_SCHEMA } from '../simulator/scenarios/scenario-schema.ts'
import { architecturePage } from './architecture-page.ts'
import { figuresPage } from './benchmark-figures-page.ts'
import { referencePage } from './command-and-call-reference-page.ts'
import { decisionsPage } from './decisions-page.ts'
import { errorsPage } from './errors-page.ts'
import { faultsPage } from './faults-page.ts'
import { decisionSwitchesSource } from './generate-decision-switches.ts'
import { controlDescriptionSource, openapiSchemasSource } from './generate-openapi-schemas.ts'
import { indexPage, llmsText } from './index-page.ts'
import { licencesPage } from './licences-page.ts'
import { lifecyclePage } from './lifecycle-page.ts'
import { conductPage } from './merchant-conduct-page.ts'
import { scenariosPage } from './scenarios-page.ts'
import { signatureLabPage } from './signature-lab-page.ts'

const NOTE = '<!-- Generated from tables of the code by `npm run docs`: change those. -->\n\n'

/** Returns the texts of the docs files that are generated from tables of the code, by path. */
export const generatedPages = (): Readonly<Record<string, string>> => ({
  'contracts/DECISIONS.md': decisionsPage(),
  'contracts/decision-switches.gen.ts': decisionSwitchesSource(),
  'contracts/openapi-schemas.gen.json': openapiSchemasSource(),
  'docs/README.md': NOTE + indexPage(),
  'docs/architecture.md': NOTE + architecturePage(),
  'docs/conduct.md': NOTE + conductPage(),
  'docs/errors.md': NOTE + errorsPage(),
  'docs/faults.md': NOTE + faultsPage(),
  'docs/licences.md': NOTE + licencesPage(),
  'docs/figures.md': figuresPage(),
  'docs/lifecycle.md': NOTE + lifecyclePage(),
  'docs/llms.txt': llmsText(),
  'docs/reference.md': NOTE + referencePage(),
  'docs/scenarios.md': NOTE + scenariosPage(),
  'docs/signature-lab.md': NOTE + signatureLabPage(),
  'simulator/control/openapi.gen.json': controlDescriptionSource(),
  'simulator/scenarios/built-in-scenarios.gen.json': builtInScenariosSource(),
  'scenarios/scenario.schema.json': `${JSON.stringify(SCENARIO_SCHEMA, null, 2)}\n`,
})
