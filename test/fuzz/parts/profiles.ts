import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'yaml'
import { CredentialsError } from '../../../contracts/client/credentials.ts'
import { credentialsOf, ProfileError, readProfile } from '../../../contracts/harness/profile.ts'
import { adviceFaultOf } from '../api-answer.ts'
import { editedJson } from '../edited-json.ts'
import { nearly } from '../edited-text.ts'
import { part } from '../part.ts'
import { YAML_PIECES } from '../words.ts'

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

/** Profiles and kits that certify is given: taken, or one sentence that names the file. */
export const profiles = part<Input>({
  name: 'profiles',
  sends: 'certify profiles and kits',
  inputs: fc.oneof(
    { weight: 4, arbitrary: fc.record({ file: fc.constant<'profile'>('profile'), text: profileTexts }) },
    { weight: 1, arbitrary: fc.record({ file: fc.constant<'kit'>('kit'), text: editedJson([KIT]) }) },
  ),
  covers: ['contracts/harness/{profile,profile-schema}.ts', 'contracts/client/credentials.ts'],
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
        credentialsOf(profile, file === 'kit' ? { kit } : profile.organization)
      } catch (error) {
        if (!(error instanceof ProfileError || error instanceof CredentialsError)) throw error
        return adviceFaultOf(error.message)
      }
    }
  },
})
