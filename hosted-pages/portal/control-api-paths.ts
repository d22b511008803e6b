const part = encodeURIComponent

const control = (organizationId: string) => `/control/organizations/${part(organizationId)}`

/** The paths of control's REST API, as equivalent curl lines and downloads use them. */
export const controlPaths = {
  organizations: '/control/organizations',
  unknownCallers: '/control/journal',
  journal: (organizationId: string) => `${control(organizationId)}/journal`,
  lab: (organizationId: string) => `${control(organizationId)}/lab`,
  payments: (organizationId: string) => `${control(organizationId)}/payments`,
  paymentsCsv: (organizationId: string) => `${control(organizationId)}/payments.csv`,
  paymentTotals: (organizationId: string) => `${control(organizationId)}/payments/totals`,
  search: (organizationId: string) => `${control(organizationId)}/search`,
  statistics: (organizationId: string) => `${control(organizationId)}/statistics`,
  timeline: (organizationId: string, transactionId: string) =>
    `${control(organizationId)}/payments/${part(transactionId)}/timeline`,
  mocks: (organizationId: string) => `${control(organizationId)}/mocks`,
  conduct: (organizationId: string) => `${control(organizationId)}/conduct`,
  drill: (organizationId: string, name: string, act: string) =>
    `${control(organizationId)}/drills/${part(name)}/${act}`,
  /** The reference of the API as the organization speaks it. */
  apiReference: (organizationId: string) => `${control(organizationId)}/openapi.yaml`,
  kit: (organizationId: string) => `${control(organizationId)}/kit`,
  kitFolder: (organizationId: string) => `${control(organizationId)}/kit.zip`,
  clock: (organizationId: string) => `${control(organizationId)}/clock`,
  keys: (organizationId: string) => `${control(organizationId)}/signing-keys`,
  controlTokens: (organizationId: string) => `${control(organizationId)}/control-tokens`,
  tokens: (organizationId: string) => `${control(organizationId)}/tokens`,
  certificates: (organizationId: string) => `${control(organizationId)}/certificates`,
  certificate: (organizationId: string, fingerprint: string) =>
    `${control(organizationId)}/certificates/${fingerprint.replaceAll(':', '')}`,
  webhooks: (organizationId: string) => `${control(organizationId)}/webhooks`,
  endpoint: (organizationId: string, endpointId: string) => `${control(organizationId)}/webhooks/${part(endpointId)}`,
  deliveries: (organizationId: string) => `${control(organizationId)}/deliveries`,
  delivery: (organizationId: string, deliveryId: string) => `${control(organizationId)}/deliveries/${part(deliveryId)}`,
  inbox: (organizationId: string) => `${control(organizationId)}/inbox`,
  reports: (organizationId: string) => `${control(organizationId)}/reports`,
  report: (organizationId: string, reportId: string) => `${control(organizationId)}/reports/${part(reportId)}`,
  capabilities: (organizationId: string, accountId: string) =>
    `${control(organizationId)}/accounts/${part(accountId)}/capabilities`,
  dialect: (organizationId: string) => `${control(organizationId)}/dialect`,
}
