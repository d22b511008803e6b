/** Provider codes with the reasonCode to which each maps (7.5). */
// biome-ignore format: a table reads by its columns
export const PROVIDER_CODES = [
  { provider: 'BLIK', code: '3001',                    reasonCode: '4000', meaning: 'Invalid or expired code' },
  { provider: 'BLIK', code: '3002',                    reasonCode: '2001', meaning: 'Declined by the shopper in the app' },
  { provider: 'BLIK', code: '3003',                    reasonCode: '2000', meaning: 'The shopper did not act in time' },
  { provider: 'BLIK', code: '3004',                    reasonCode: '8003', meaning: 'Recurring payments are not supported by the bank' },
  { provider: 'IRIS', code: 'DMSP1000',                reasonCode: '8004', meaning: 'General error of the provider' },
  { provider: 'IRIS', code: 'DMSP1003',                reasonCode: '4001', meaning: 'Order not found' },
  { provider: 'IRIS', code: 'DMSP1010',                reasonCode: '8004', meaning: 'The provider is under maintenance' },
  { provider: 'IRIS', code: 'DMSP1104',                reasonCode: '4000', meaning: 'The creation date has a wrong format' },
  { provider: 'IRIS', code: 'DMSP1109',                reasonCode: '4000', meaning: 'The validity period is outside 8 to 33 minutes' },
  { provider: 'IRIS', code: 'DMSP1112',                reasonCode: '4000', meaning: 'The amount must be greater than zero' },
  { provider: 'IRIS', code: 'DMSP1120',                reasonCode: '3001', meaning: 'Duplicate reference' },
  { provider: 'IRIS', code: 'DMSP1140',                reasonCode: '4971', meaning: 'Unauthorized action' },
  { provider: 'IRIS', code: 'TIMEOUT',                 reasonCode: '2000', meaning: 'The session expired' },
  { provider: 'IRIS', code: 'AUTHORISINGPARTYABORTED', reasonCode: '2001', meaning: 'Cancelled by the shopper' },
] as const

export type ProviderId = (typeof PROVIDER_CODES)[number]['provider']
export type ProviderCode = (typeof PROVIDER_CODES)[number]['code']

/** Returns the mapping of a provider code (7.5); throws on an unknown code. */
export const providerCode = (provider: ProviderId, code: ProviderCode) => {
  const row = PROVIDER_CODES.find(known => known.provider === provider && known.code === code)
  if (!row) throw new Error(`${provider} has no code ${code}.`)
  return row
}
