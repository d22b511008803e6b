import type { ServerOptions } from 'node:https'
import type { Profile } from '../../contracts/harness/profile.ts'
import type { Saboteur } from './sabotage.ts'

const tls = (options: ServerOptions) => () => ({ tls: options })

const inProduction = ({ control: _, ...profile }: Profile): Profile => ({
  ...profile,
  target: { ...profile.target, environment: 'production' },
})

/** TLS as it must not be, and what production must not have (1, 5.1). What runs here is not counted: it is all there is. */
// biome-ignore format: a table reads by its columns
export const TLS_SABOTEURS: readonly Saboteur[] = [
  { does: 'knows no TLS 1.3',             caughtBy: ['MTLS-10'], config: { tlsMin: '1.2' }, uncounted: tls({ maxVersion: 'TLSv1.2' }) },
  { does: 'still knows TLS 1.1',          caughtBy: ['MTLS-09'], uncounted: tls({ minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }) },
  { does: 'knows TLS 1.2 in production',  caughtBy: ['MTLS-08'], config: { environment: 'production' }, uncounted: tls({ minVersion: 'TLSv1.2' }), profile: inProduction, only: ['MTLS-08'] },
  { does: 'sets mocks in production',     caughtBy: ['MCK-24'],  profile: inProduction, only: ['MCK-24'] },
]
