import { chooseVersion, type ServiceVersion } from '../../../contracts/protocol/api-versioning.ts'
import { Refusal } from '../../support/refusal.ts'
import { truncate } from '../../support/untrusted-text.ts'
import { type RequestLayer, readHeader } from '../api-call.ts'

/**
 * Creates the layer that selects the version of a call; refuses a Service-Version header that is malformed or not
 * served (9).
 */
export const checkServiceVersion =
  (versions: readonly ServiceVersion[]): RequestLayer =>
  call => {
    const wanted = readHeader(call, 'service-version')
    const { version, fault } = chooseVersion(versions, wanted, call.dialect.choices['D-68'])
    if (fault)
      throw new Refusal(
        'INVALID_INPUT',
        'version',
        `Service-Version ${JSON.stringify(truncate(wanted ?? ''))} ${fault}.`,
        {
          fields: { 'Service-Version': fault },
        },
      )
    call.version = version
    call.responseHeaders['service-version'] = version.version
  }
