import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeExpectedValue, describeGivenValue } from '../../simulator/options/option-kinds.ts'
import { OPTIONS, type OptionName, toConfigName, toEnvironmentName } from '../../simulator/options/options.ts'
import { defaultConfig, ignoredVariables, readConfig } from '../../simulator/options/read-config.ts'
import { readProgramOptions } from '../../simulator/options/read-program-options.ts'
import { parseDuration } from '../../simulator/support/duration.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { ROOT, readSource } from '../architecture/read-source-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NAMES = Object.keys(OPTIONS) as OptionName[]

// biome-ignore format: a table reads by its columns
const VALUES: Readonly<Record<OptionName, { good: readonly (readonly [string, unknown])[]; bad: readonly string[] }>> = {
  'data-dir':           { good: [['/var/assay', '/var/assay']],                                       bad: [''] },
  'store':              { good: [['postgres://a:b@db/assay', 'postgres://a:b@db/assay'], ['postgresql://db', 'postgresql://db'], ['postgres://db.shop_default/a', 'postgres://db.shop_default/a'], ['postgres://db/a%2Fb', 'postgres://db/a%2Fb'], ['postgres://u:p@a,b:5433/x?target_session_attrs=primary', 'postgres://u:p@a,b:5433/x?target_session_attrs=primary']], bad: ['', 'db', 'mysql://db', 'assay.db', 'postgres://a,b:x/assay', 'postgres://a,b/x?target_session_attrs=standby', 'postgres://db/x?schema=team', 'postgres://db/x?sslmode=require&currentSchema=team', 'postgres://db/x?Schema=team', 'postgres://db/x?sslmode=bogus', 'postgres://db/x?sslmode=prefer', 'postgres://db/a%3Fb', 'postgres://db/a%23b', 'postgres://db/x?ssl=false', 'postgres://db/x?sslmod=require', 'postgres://db/x?channel_binding=require'] },
  'store-connections':  { good: [['2', 2], ['30', 30]],                                               bad: ['1', '0', '', '2.5', 'ten'] },
  'host':               { good: [['0.0.0.0', '0.0.0.0'], ['::', '::']],                               bad: [''] },
  'api-port':           { good: [['0', 0], ['65535', 65_535]],                                        bad: ['65536', '-1', 'https', '80.5', '', ' 80'] },
  'pages-port':         { good: [['0', 0], ['8081', 8_081]],                                          bad: ['100000', '0x50', '1e3'] },
  'plain-port':         { good: [['0', 0], ['8081', 8_081]],                                          bad: ['65536', 'on', ''] },
  'api-url':            { good: [['https://api.example', 'https://api.example'], ['https://a:9443/', 'https://a:9443'], ['https://sandbox.shop_default:8443', 'https://sandbox.shop_default:8443']], bad: ['api.example', 'https://a/path', 'https://a?b', 'https://a/#c', 'ftp://a', 'https://u:p@a', 'https://:p@a', ''] },
  'pages-url':          { good: [['http://pages.example:80', 'http://pages.example:80']],             bad: ['pages', 'javascript:alert(1)'] },
  'tls-names':          { good: [['a.example, 10.0.0.1', ['a.example', '10.0.0.1']], ['sandbox.shop_default,*.a_b,registry.example__team__assay_', ['sandbox.shop_default', '*.a_b', 'registry.example__team__assay_']], [',', []]], bad: ['https://a', 'a:8443', 'a b', '-a', 'a/', 'a.*', '*'] },
  'tls-min':            { good: [['1.2', '1.2'], ['1.3', '1.3'], ['1.2-exception', '1.2-exception']],                                     bad: ['1.1', 'TLSv1.3', ''] },
  'environment':        { good: [['sandbox', 'sandbox'], ['production', 'production']],               bad: ['test', ''] },
  'layers':             { good: [['none', []], ['token, certificate', ['certificate', 'token']], ['signature', ['signature']]], bad: ['', 'all', 'tls', 'none,token', 'token,token'] },
  'client-cert-from':   { good: [['10.0.0.1, fd00::/8', ['10.0.0.1', 'fd00::/8']], ['0.0.0.0/0', ['0.0.0.0/0']], [',', []]], bad: ['proxy', '10.0.0.1/33', 'fd00::/129', '10.0.0.1/', '10.0.0.0/8/8', '10.0.0/8'] },
  'settle-after':       { good: [['PT0.05S', 50], ['P1D', 86_400_000]],                               bad: ['2', '2s', 'PT', '-PT2S'] },
  'iris-validity':      { good: [['PT5M', 300_000], ['PT30M', 1_800_000]],                            bad: ['PT4M59S', 'PT30M1S', '30'] },
  'lifecycle':          { good: [['on', 'on'], ['off', 'off']],                                       bad: ['true', 'ON'] },
  'signature-base':     { good: [['either', 'either'], ['rfc', 'rfc'], ['literal', 'literal']],       bad: ['both'] },
  'signature-encoding': { good: [['either', 'either'], ['der', 'der'], ['raw', 'raw']],               bad: ['asn1'] },
  'signature-age':      { good: [['PT5M', 300_000], ['PT1S', 1_000]],                                 bad: ['300', 'PT0S', 'PT0.999S'] },
  'signature-ahead':    { good: [['PT0S', 0]],                                                        bad: ['60'] },
  'response-algorithm':   { good: [['ECDSA_SHA_512', 'ECDSA_SHA_512']],                                 bad: ['ES256', 'RSA'] },
  'response-base':        { good: [['rfc', 'rfc'], ['literal', 'literal']],                             bad: ['either'] },
  'response-encoding':    { good: [['der', 'der'], ['raw', 'raw']],                                     bad: ['either'] },
  'control-token':      { good: [['s3cret!', 's3cret!']],                                            bad: ['', 'a b', 'ż', 'a\n'] },
  'variety':            { good: [['4711', '4711'], ['random', 'random'], ['build-7.2', 'build-7.2']],   bad: ['', '-1', 'a b', 'x'.repeat(65), '$x'] },
  'webhook-private':    { good: [['10.0.0.0/8,::1', ['10.0.0.0/8', '::1']], [',', []]],               bad: ['home', '10.0.0.0/64'] },
  'webhook-timeout':    { good: [['PT0.5S', 500], ['PT0.001S', 1], ['PT1H', 3_600_000]],            bad: ['5', 'PT0S', 'PT1H0.001S', 'P30D'] },
  'webhook-ca':         { good: [['/etc/ca.pem', '/etc/ca.pem']],                                   bad: [''] },
  'scenarios':          { good: [['./scenarios', './scenarios']],                                     bad: [''] },
  'init':               { good: [['./init.yaml', './init.yaml']],                                     bad: [''] },
  'unknown-members':    { good: [['refuse', 'refuse'], ['ignore', 'ignore'], ['note', 'note']],       bad: ['', 'strict'] },
  'body-limit':         { good: [['1', 1], ['1048576', 1_048_576]],                                   bad: ['0', '1MB', '-1', '1.5', '9999999999'] },
  'rate-limit':         { good: [['0', 0], ['25', 25]],                                               bad: ['-1', '0.5', '10/s', ''] },
  'dialect':            { good: [['./ours.yaml', './ours.yaml']],                                     bad: [''] },
  'max-organizations':  { good: [['500', 500]],                                                       bad: ['0', '', 'many'] },
  'max-payments':       { good: [['100000', 100_000]],                                                bad: ['0', '', '1e5'] },
  'keep-organizations': { good: [['P1D', 86_400_000], ['P90D', 7_776_000_000]],                       bad: ['PT23H', 'P0D', '30', ''] },
  'sign-in-from':       { good: [['10.0.0.5, ::1', ['10.0.0.5', '::1']], [',', []]],                  bad: ['proxy', '10.0.0.1/33'] },
  'keep-payments':      { good: [['P1D', 86_400_000], ['P365D', 31_536_000_000]],                     bad: ['PT23H', 'P0D', '30', 'P3651D'] },
  'accept-loss':        { good: [['yes', 'yes'], ['no', 'no']],                                      bad: ['', 'maybe'] },
  'shop':               { good: [['on', 'on'], ['off', 'off']],                                       bad: ['', 'yes'] },
  'metrics':            { good: [['on', 'on'], ['off', 'off']],                                       bad: ['', 'yes'] },
  'metrics-token':      { good: [['scrape-1', 'scrape-1']],                                           bad: ['', 'two words'] },
  'log':                { good: [['text', 'text'], ['json', 'json']],                                 bad: ['', 'xml'] },
  'log-level':          { good: [['info', 'info'], ['warn', 'warn'], ['error', 'error']],             bad: ['', 'debug'] },
  'journal-size':       { good: [['1', 1]],                                                           bad: ['0', 'all'] },
}

const written = (text: string): string => {
  const file = join(temporaryFolder(), 'assay.yaml')
  writeFileSync(file, text)
  return file
}

const messageOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  return 'it was read'
}

describe('every option can be set by flag, environment variable and file', () => {
  test.each(NAMES.flatMap(name => VALUES[name].good.map(([text, value]) => ({ name, text, value }))))(
    '$name $text',
    ({ name, text, value }) => {
      const key = toConfigName(name) as keyof ReturnType<typeof defaultConfig>
      expect(readConfig([`--${name}`, text], {})[key]).toEqual(value)
      expect(readConfig([], { [toEnvironmentName(name)]: text })[key]).toEqual(value)
      expect(readConfig(['--config', written(`${name}: ${JSON.stringify(text)}\n`)], {})[key]).toEqual(value)
    },
  )

  test.each(NAMES.flatMap(name => VALUES[name].bad.map(text => ({ name, text }))))(
    '$name "$text" is refused with the option and the expected value',
    ({ name, text }) => {
      const wanted = describeExpectedValue(OPTIONS[name].kind)
      const given = describeGivenValue(OPTIONS[name].kind, text)
      const flag = messageOf(() => readConfig([`--${name}=${text}`], {}))
      expect(flag).toContain(`flag ${name} is ${given}: give ${wanted} (`)
      if (text !== '')
        expect(messageOf(() => readConfig([], { [toEnvironmentName(name)]: text }))).toContain(
          `The environment variable ${toEnvironmentName(name)} is ${given}: give ${wanted} (`,
        )
      const file = written(`${name}: ${JSON.stringify(text)}\n`)
      expect(messageOf(() => readConfig(['--config', file], {}))).toContain(`In ${file} the entry ${name} is ${given}`)
    },
  )

  test('an invalid secret is not shown', () => {
    expect(messageOf(() => readConfig([], { ASSAY_CONTROL_TOKEN: 'open sesame' }))).not.toContain('sesame')
  })

  test.each(['https://user:pw-secret@a', 'https:u:pw-secret@a', 'https://u: secret @a', 'https://:pw-secret@a'])(
    'the address %j is refused without showing its password',
    text => {
      const message = messageOf(() => readConfig(['--pages-url', text], {}))
      expect(message).toMatch(/^The flag pages-url is "https:\/\/\*\*\*@a": give (?!.*secret)/)
      expect(messageOf(() => readConfig([text], {}))).not.toContain('secret')
    },
  )

  test('flag precedes environment, environment precedes file, file precedes default', () => {
    const file = written('api-port: 3\nhost: 10.0.0.3\njournal-size: 33\n')
    const environment = { ASSAY_API_PORT: '2', ASSAY_HOST: '10.0.0.2', ASSAY_CONFIG: file }
    const { apiPort, host, journalSize, pagesPort } = readConfig(['--api-port', '1'], environment)
    expect({ apiPort, host, journalSize, pagesPort }).toEqual({
      apiPort: 1,
      host: '10.0.0.2',
      journalSize: 33,
      pagesPort: 8_080,
    })
  })

  test.each([
    [['--accept-loss'], 'yes'],
    [['--accept-loss', '--host', 'localhost'], 'yes'],
    [['--accept-loss', 'no'], 'no'],
    [['--accept-loss=no'], 'no'],
  ])('%j accepts a loss: %s', (argv, acceptLoss) => {
    expect(readConfig(argv, {})).toMatchObject({ acceptLoss })
  })

  test('5.1, 5.4, R4: the defaults', () => {
    expect(defaultConfig()).toEqual({
      dataDir: '.assay',
      storeConnections: 10,
      host: '127.0.0.1',
      apiPort: 8_443,
      pagesPort: 8_080,
      plainPort: undefined,
      apiUrl: undefined,
      pagesUrl: undefined,
      tlsNames: [],
      tlsMin: '1.3',
      environment: 'sandbox',
      layers: ['certificate', 'signature', 'token'],
      clientCertFrom: [],
      settleAfter: 2_000,
      irisValidity: 1_800_000,
      lifecycle: 'on',
      signatureBase: 'either',
      signatureEncoding: 'either',
      signatureAge: 300_000,
      signatureAhead: 60_000,
      responseAlgorithm: 'ECDSA_SHA_256',
      responseBase: 'literal',
      responseEncoding: 'der',
      acceptLoss: 'no',
      controlToken: undefined,
      signInFrom: [],
      variety: undefined,
      scenarios: undefined,
      init: undefined,
      webhookPrivate: ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
      webhookTimeout: 5_000,
      webhookCa: undefined,
      unknownMembers: 'refuse',
      bodyLimit: 1_048_576,
      rateLimit: 10_000,
      journalSize: 500,
      metrics: 'off',
      log: 'text',
      logLevel: 'info',
    })
    expect(defaultConfig({ apiPort: 0 }).apiPort).toBe(0)
  })

  test('a variable NAME_PORT that an orchestrator sets for a Service of that name counts as unset, with a note', () => {
    const file = written('plain-port: 81\n')
    const environment = {
      ASSAY_API_PORT: 'tcp://10.96.0.7:8443',
      ASSAY_PAGES_PORT: 'udp://[fd00::7]:53',
      ASSAY_PLAIN_PORT: 'sctp://10.96.0.9:9',
      ASSAY_CONFIG: file,
    }
    expect(readConfig([], environment)).toMatchObject({ apiPort: 8_443, pagesPort: 8_080, plainPort: 81 })
    expect(readConfig(['--api-port', '1'], environment).apiPort).toBe(1)
    expect(ignoredVariables({ ...environment, ASSAY_API_PORT_8443_TCP: 'tcp://10.96.0.7:8443' })).toEqual([
      'ASSAY_API_PORT is the link of an orchestrator to a service, not a port, and was ignored.',
      'ASSAY_PAGES_PORT is the link of an orchestrator to a service, not a port, and was ignored.',
      'ASSAY_PLAIN_PORT is the link of an orchestrator to a service, not a port, and was ignored.',
      'ASSAY_API_PORT_8443_TCP is not an option and was ignored.',
    ])
  })

  test('a link is ignored in the environment alone, and only where it could be one', () => {
    const link = 'tcp://10.96.0.7:8443'
    expect(messageOf(() => readConfig(['--api-port', link], {}))).toContain(`The flag api-port is "${link}"`)
    expect(messageOf(() => readConfig(['--config', written(`api-port: ${link}\n`)], {}))).toContain(link)
    for (const text of ['http://10.96.0.7:8443', 'tcp:8443'])
      expect(messageOf(() => readConfig([], { ASSAY_API_PORT: text }))).toContain(
        'The environment variable ASSAY_API_PORT is',
      )
    expect(messageOf(() => readConfig([], { ASSAY_API_URL: link }))).toContain(
      'The environment variable ASSAY_API_URL is',
    )
  })

  test('an empty variable counts as unset', () => {
    expect(readConfig([], { ASSAY_API_PORT: '' }).apiPort).toBe(8_443)
  })
})

describe('an invalid configuration is refused in one sentence', () => {
  const ONE_SENTENCE = /^[^\n]+\.$/

  test('a control token that is empty everywhere it can be set, as where CI has no such secret', () => {
    for (const name of ['ASSAY_CONTROL_TOKEN', 'ASSAY_METRICS_TOKEN'])
      expect(messageOf(() => readConfig([], { [name]: '' }))).toMatch(new RegExp(`^${name} is empty.*\\.$`))
    for (const text of ["control-token: ''\n", 'control-token:\n'])
      expect(messageOf(() => readConfig(['--config', written(text)], {}))).toMatch(ONE_SENTENCE)
    expect(messageOf(() => readConfig(['--control-token', ''], {}))).toMatch(ONE_SENTENCE)
  })

  test.each([
    [['--api-prot', '1']],
    [['--api-port']],
    [['--api-port', '--pages-port']],
    [['stray']],
    [['--', 'stray']],
    [['-x']],
  ])('the arguments %j', argv => {
    const message = messageOf(() => readConfig(argv, {}))
    expect(message).toMatch(ONE_SENTENCE)
    expect(message).toMatch(/: "assay serve --help" lists the options\.$/)
    expect(message).not.toContain('.:')
  })

  test.each([
    ['--journal-size', '-3', 'a whole number from 1 to 999999999'],
    ['--rate-limit', '-1', 'a whole number from 0 to 999999999'],
    ['--keep-payments', '-1', 'an ISO 8601 duration of days, hours, minutes and seconds of at least P1D, such as P30D'],
    ['--api-port', '99999', 'a number from 0 to 65535'],
  ])('%s %s: how it is written, and what is taken', (flag, value, range) => {
    expect(messageOf(() => readConfig([`${flag}=${value}`], {}))).toContain(`is "${value}": give ${range} (`)
    if (value.startsWith('-'))
      expect(messageOf(() => readConfig([flag, value], {}))).toBe(
        `The value of ${flag} is missing or begins with a hyphen, which is written ${flag}=VALUE: "assay serve --help" lists the options.`,
      )
  })

  test('a database URL as stray argument is shown without its password', () => {
    const message = messageOf(() => readConfig(['postgres://assay:pass%40/word@db.example/assay'], {}))
    expect(message).toBe(
      `Unexpected argument 'postgres://***@db.example/assay': "assay serve --help" lists the options.`,
    )
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    ['an unknown entry',  'api_port: 1\n',          'has the unknown entry "api_port": "assay serve --help" lists the options.'],
    ['an entry in depth', 'host:\n  name: a\n',     'gives no plain value for host: write one on the same line.'],
    ['a list',            'tls-names: [a, b]\n',    'gives no plain value for tls-names: write one on the same line.'],
    ['nothing for it',    'host:\n',                'gives no plain value for host: write one on the same line.'],
    ['no entries',        '- a\n- b\n',             'is not a list of option: value entries.'],
    ['a mere word',       'hello\n',                'is not a list of option: value entries.'],
    ['no YAML',           'host: "a\n',             'cannot be read as YAML: '],
    ['a tag of no one',   'host: !ours a',          'cannot be read as YAML: Unresolved tag: !ours at line 1, column 7.'],
  ])('a file with %s', (_what, text, said) => {
    const file = written(text)
    const message = messageOf(() => readConfig(['--config', file], {}))
    expect(message).toContain(`${file} ${said}`)
    expect(message).not.toContain('\n')
  })

  test('a value of a file is taken as it is written, also where YAML reads a number or another word', () => {
    const file = written(
      'control-token: 01234567\nvariety: 1.10\nmetrics-token: &token 1e3\napi-port: 8443 # as ever\nhost: "0.0.0.0"\n',
    )
    expect(readConfig(['--config', file], {})).toMatchObject({
      controlToken: '01234567',
      variety: '1.10',
      metricsToken: '1e3',
      apiPort: 8_443,
      host: '0.0.0.0',
    })
    expect(messageOf(() => readConfig(['--config', written('api-port: 0x50\n')], {}))).toContain('api-port is "0x50"')
    expect(messageOf(() => readConfig(['--config', written('data-dir: null\n')], {}))).toContain('no plain value')
  })

  test('an empty file gives the defaults', () => {
    expect(readConfig(['--config', written('# nothing yet\n')], {})).toEqual(defaultConfig())
  })

  test('a missing file, and a folder in its place', () => {
    const folder = temporaryFolder()
    const missing = join(folder, 'missing.yaml')
    expect(messageOf(() => readConfig(['--config', missing], {}))).toBe(
      `There is no configuration file ${missing}: check --config.`,
    )
    mkdirSync(join(folder, 'config'))
    expect(messageOf(() => readConfig(['--config', join(folder, 'config')], {}))).toMatch(
      /config is a folder: name a file/,
    )
  })
})

describe('every option can be given by a program', () => {
  /** What a program gives in place of a text that the command line refuses. */
  const WRONG: Readonly<Record<string, (text: string) => unknown>> = {
    text: text => text,
    number: text => (/^-?[\d.]+$/.test(text) ? Number(text) : text),
    milliseconds: text => parseDuration(text) ?? text,
    list: text => text.split(','),
    subset: text => text.split(','),
  }
  const OF_NO_OPTION = [null, true, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1n, {}, [1], [['a']], () => 'on', '']
  // biome-ignore format: a table reads by its columns
  const OF_OTHER_TYPE: Readonly<Record<string, unknown>> = { text: 1, number: '1', milliseconds: 'PT1H', list: '::1', subset: 'token' }
  const given = (name: string, value: unknown) => () => readProgramOptions({ [toConfigName(name)]: value })

  test.each(NAMES.flatMap(name => VALUES[name].good.map(([, value]) => ({ name, value }))))(
    '$name $value',
    ({ name, value }) => {
      expect(given(name, value)()).toEqual({ [toConfigName(name)]: value })
    },
  )

  test.each(NAMES)('%s of a wrong type or value is refused with the option and the expected value', name => {
    const { kind } = OPTIONS[name]
    const wrong = VALUES[name].bad.map(text => WRONG[kind.given]?.(text))
    for (const value of [...wrong, ...OF_NO_OPTION, OF_OTHER_TYPE[kind.given]]) {
      const message = messageOf(given(name, value))
      expect(message).toMatch(/^The option (?!.*\n).*\.$/)
      expect(message).toContain(`The option ${toConfigName(name)} is `)
      expect(message).toContain(`${describeExpectedValue(kind)} (`)
    }
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    [{ settleAfter: 'PT1H' },               'The option settleAfter is "PT1H": give a number of milliseconds, for an ISO 8601 duration of days, hours, minutes and seconds such as PT2S ('],
    [{ layers: ['signatur', 'token'] },     "The option layers is [ 'signatur', 'token' ]: give an array, of any of certificate,signature,token, or none ("],
    [{ webhookPrivate: '10.0.0.0/8' },      'The option webhookPrivate is "10.0.0.0/8": give an array, of addresses or ranges such as 10.0.0.0/8,::1 ('],
    [{ apiPort: 'https' },                  'The option apiPort is "https": give a number from 0 to 65535 ('],
    [{ controlToken: 'open sesame' },       'The option controlToken is not what it may be: give letters, '],
    [{ pagesUrl: ['http://u:secret@a'] },   "The option pagesUrl is [ 'http://***@a' ]: give an http or https address "],
    [{ apiPrt: 1 },                         'startSimulator takes no option "apiPrt": docs/reference.md lists the options.'],
    [{ apiPrt: undefined },                 'startSimulator takes no option "apiPrt": docs/reference.md lists the options.'],
    [{ 'api-port': 1 },                     'startSimulator takes no option "api-port": write apiPort.'],
    [{ host: '', toString: 1 },             'The option host is "": give a text ('],
    [{ toString: 1 },                       'startSimulator takes no option "toString": docs/reference.md lists the options.'],
  ])('%o is refused in a sentence', (options, sentence) => {
    expect(messageOf(() => readProgramOptions(options as object)).slice(0, sentence.length)).toBe(sentence)
  })

  test('undefined leaves the default', () => {
    expect(readProgramOptions({ dataDir: undefined, layers: undefined, rateLimit: 0 } as object)).toEqual({
      rateLimit: 0,
    })
  })
})

test('unknown ASSAY_ variables are reported, not refused', () => {
  const environment = { ASSAY_API_PROT: '1', ASSAY_API_PORT: '1', ASSAY_CONFIG: 'x', PATH: '/bin' }
  expect(ignoredVariables(environment)).toEqual(['ASSAY_API_PROT is not an option and was ignored.'])
})

test('no variable that a document names is reported as unknown', () => {
  const pages = globSync('{README.md,docs/*.md,docs/ci/*,examples/**/*.{md,yaml,ts,sh,py}}', { cwd: ROOT })
  const named = pages.flatMap(page => readSource(page).match(/\bASSAY_[A-Z]+(_[A-Z]+)*\b/g) ?? [])
  expect(named).toContain('ASSAY_URL')
  expect(ignoredVariables(Object.fromEntries(named.map(name => [name, 'set'])))).toEqual([])
})

describe('5, 5.1: production refuses options that lower security', () => {
  test.each([
    ['--layers', 'certificate,signature'],
    ['--layers', 'none'],
    ['--plain-port', '0'],
    ['--tls-min', '1.2'],
    ['--variety', '4711'],
  ])('%s %s', (flag, value) => {
    expect(messageOf(() => readConfig(['--environment', 'production', flag, value], {}))).toBe(
      `The option ${flag.slice(2)} asks for less than production: drop ${flag}, or drop --environment production.`,
    )
    expect(messageOf(() => readConfig([flag, value], {}))).toBe('it was read')
  })
})
