import type { FuzzTarget } from '../fuzz-target.ts'
import { apiBodies } from './api-bodies.ts'
import { clientCertificates } from './client-certificates.ts'
import { controlApi } from './control-api.ts'
import { drillFiles } from './drill-files.ts'
import { snapshotDocuments } from './imported-organization-snapshots.ts'
import { jsonBodies } from './json-bodies.ts'
import { hostedPages, portalPages } from './page-forms.ts'
import { profilesAndKits } from './profiles-and-kits.ts'
import { rawHttp } from './raw-http.ts'
import { requestHeaders } from './request-headers.ts'
import { savedRuns } from './saved-certify-runs.ts'
import { scenarioFiles } from './scenario-files.ts'
import { signatureLab } from './signature-lab.ts'
import { structuredFields } from './structured-fields.ts'
import { tlsCertificateMessages } from './tls-certificate-messages.ts'
import { keysAndCertificates } from './uploaded-keys-and-certificates.ts'
import { webhookReceivers } from './webhook-receiver-responses.ts'
import { webhookVerification } from './webhook-verification.ts'

/** All fuzz targets, in the order in which they run. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  ...[
    structuredFields,
    jsonBodies,
    keysAndCertificates,
    signatureLab,
    scenarioFiles,
    drillFiles,
    profilesAndKits,
    savedRuns,
  ],
  ...[
    requestHeaders,
    clientCertificates,
    apiBodies,
    rawHttp,
    controlApi,
    hostedPages,
    portalPages,
    webhookReceivers,
    webhookVerification,
    snapshotDocuments,
    tlsCertificateMessages,
  ],
]
