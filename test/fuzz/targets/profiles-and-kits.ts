import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'yaml'
import { CredentialsError } from '../../../contracts/client/credentials.ts'
import { ProfileError, readProfile } from '../../../contracts/harness/profile/read-profile.ts'
import { readCredentials } from '../../../contracts/harness/profile/read-profile-credentials.ts'
import { editedJson } from '../edited-json.ts'
import { nearly } from '../edited-text.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { YAML_PIECES } from '../hostile-values.ts'
import { adviceProblem } from '../response-checks.ts'

type Input = { file: 'profile' | 'kit'; text: string }

const at = (name: string): string =>
  readFileSync(new URL(`../../../contracts/profiles/${name}.yaml`, import.meta.url), 'utf8')
const TEXTS = [at('simulator'), at('example').replaceAll(/^# ?(?=[a-z]\w+:| {2})/gm, '')]
const PROFILES = [parse(at('simulator')), parse(at('example'))]

const KIT = {
  apiBaseUrl: 'https://localhost:8443',
  organizationId: 'a',
  clientId: 'a',
  processingAccountIds: ['b'],
  ca: 'ca.pem',
  certificate: '-----BEGIN CERTIFICATE-----',
  privateKey: '-----BEGIN PRIVATE KEY-----',
  signingKeys: [{ keyId: 'k', algorithm: 'ECDSA_SHA_256', privateKey: '-----BEGIN PRIVATE KEY-----' }],
}

const profileTexts = fc.oneof(
  { weight: 3, arbitrary: editedJson(PROFILES) },
  { weight: 2, arbitrary: nearly(TEXTS, YAML_PIECES) },
)

/** Fuzz target: profiles and kits of certify; read, or refused with one sentence that names the file. */
export const profilesAndKits = fuzzTarget<Input>({
  name: 'profiles',
  sends: 'certify profiles and kits',
  inputs: fc.oneof(
    { weight: 4, arbitrary: fc.record({ file: fc.constant<'profile'>('profile'), text: profileTexts }) },
    { weight: 1, arbitrary: fc.record({ file: fc.constant<'kit'>('kit'), text: editedJson([KIT]) }) },
  ),
  covers: [
    'contracts/schema/*.ts',
    'contracts/harness/profile/profile.ts',
    'contracts/harness/profile/profile-validation.ts',
    'contracts/client/credentials.ts',
  ],
  guided: ['text'],
  few: 60,
  open: async ({ folder }) => {
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    return ({ file, text }) => {
      const kit = write('kit.json', file === 'kit' ? text : '{}')
      try {
        const profile = readProfile(write('profile.yaml', file === 'profile' ? text : (TEXTS[0] ?? '')))
        readCredentials(profile, file === 'kit' ? { kit } : profile.organization)
      } catch (error) {
        if (!(error instanceof ProfileError || error instanceof CredentialsError)) throw error
        return adviceProblem(error.message)
      }
    }
  },
})
