import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isWebhookSecret } from '../../contracts/protocol/webhook-hmac.ts'
import { NOTIFICATION_TYPES } from '../payments/notification-types.ts'
import { listOf, objectOf, oneOf, text } from '../store/snapshot-validation/json-schema-builders.ts'
import { parseYaml } from '../support/parse-yaml.ts'
import { StartError } from '../support/start-error.ts'

/** An organization of the file that `--init` names, with PEM texts in place of file names. */
export type InitialOrganization = {
  id: string
  /** Client certificates to trust beside that of the kit (5.1), PEM. */
  certificates?: readonly string[]
  /** Public signing keys beside those of the kit (5.2), PEM or JWK. */
  signingKeys?: readonly string[]
  webhooks?: readonly { url: string; types?: readonly string[]; secret?: string }[]
  /** Outcomes by payer or clientTransactionId (2.7), on the first account unless one is named. */
  scenarios?: readonly InitialScenario[]
}

type InitialScenario = {
  scenario: string
  key: { type: string; value: string }
  type?: string
  processingAccountId?: string
}

const closed = (schema: object) => ({ ...schema, additionalProperties: false })

const SCHEMA = closed({
  type: 'object',
  required: ['organizations'],
  properties: {
    organizations: listOf(
      closed(
        objectOf<InitialOrganization>(
          { id: text },
          {
            certificates: listOf(text),
            signingKeys: listOf(text),
            webhooks: listOf(
              closed(
                objectOf<NonNullable<InitialOrganization['webhooks']>[number]>(
                  { url: text },
                  { types: listOf(oneOf(NOTIFICATION_TYPES)), secret: text },
                ),
              ),
            ),
            scenarios: listOf(
              closed(
                objectOf<InitialScenario>(
                  { scenario: text, key: closed(objectOf<InitialScenario['key']>({ type: text, value: text })) },
                  { type: oneOf(['MOCK', 'PASSTHROUGH']), processingAccountId: text },
                ),
              ),
            ),
          },
        ),
      ),
    ),
  },
})

/** Reads the file that `--init` names; certificates and keys are file names beside it, or PEM. Throws StartError. */
export const readInitFile = async (file: string | undefined): Promise<readonly InitialOrganization[]> => {
  if (file === undefined) return []
  const content = parsed(file, readText(file))
  const { validateValue } = await import('../store/snapshot-validation/validate-value.ts')
  const problem = validateValue(file, content, SCHEMA)
  if (problem !== undefined) throw new StartError(`${problem}: docs/containers.md has an example.`)
  const { organizations } = content as { organizations: InitialOrganization[] }
  const inFull = (names: readonly string[]) => names.map(name => textOf(name, dirname(file)))
  return organizations.map(({ certificates = [], signingKeys = [], ...organization }) => {
    for (const { secret = '', url } of organization.webhooks ?? [])
      if (secret && !isWebhookSecret(secret))
        throw new StartError(`${file}: the secret of ${url} must be whsec_ and a key in Base64, or be left out.`)
    return { ...organization, certificates: inFull(certificates), signingKeys: inFull(signingKeys) }
  })
}

const textOf = (value: string, folder: string): string =>
  /-----BEGIN|^\s*\{/.test(value) ? value : readText(resolve(folder, value))

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new StartError(`${file} cannot be read: check --init.`)
  }
}

const parsed = (file: string, content: string): unknown => {
  try {
    return parseYaml(content)
  } catch (error) {
    throw new StartError(`${file} is no YAML: ${(error as Error).message}.`)
  }
}
