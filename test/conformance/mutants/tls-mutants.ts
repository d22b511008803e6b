import type { ServerOptions } from 'node:https'
import type { Profile } from '../../../contracts/harness/profile/profile.ts'
import type { Mutant } from './mutant.ts'

const tls = (options: ServerOptions) => () => ({ tls: options })

const inProduction = ({ control: _, ...profile }: Profile): Profile => ({
  ...profile,
  target: { ...profile.target, environment: 'production' },
})

/** Mutants of TLS versions and of what production forbids (1, 5.1); their TLS options run no code that is counted. */
// biome-ignore format: a table reads by its columns
export const TLS_MUTANTS: readonly Mutant[] = [
  { does: 'does not support TLS 1.3 in production', caughtBy: ['MTLS-10'], config: { environment: 'production', tlsMin: '1.2-exception' }, uncounted: tls({ maxVersion: 'TLSv1.2' }), profile: inProduction, only: ['MTLS-10'] },
  { does: 'supports TLS 1.1',          caughtBy: ['MTLS-09'], uncounted: tls({ minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }) },
  { does: 'supports TLS 1.2 in production',  caughtBy: ['MTLS-08'], config: { environment: 'production' }, uncounted: tls({ minVersion: 'TLSv1.2' }), profile: inProduction, only: ['MTLS-08'] },
  { does: 'sets mocks in production',     caughtBy: ['MCK-24'],  profile: inProduction, only: ['MCK-24'] },
]
