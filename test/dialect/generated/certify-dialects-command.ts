import { readScriptArguments, readScriptNumber } from '../../../bench/report/read-script-arguments.ts'
import { certifySpeaking, deploymentOf, profileText } from './certify-generated.ts'
import { differences, verdictsIn, verdictsOf } from './verdicts-of-dialect.ts'

const HELP = `Lets a simulator speak dialects that are drawn by seed, with variety by the same seed, and certifies each by its own
profile: it shall get the verdicts of our own dialect.

  npm run dialects -- [options]

  --from N    the first seed (default: 1)
  --seeds N   how many (default: 20; a minute is about ten)
  --show N    print the profile of a seed
  --help      this text

Exit codes: 0 all alike, 1 a verdict differs.
`

const { values } = readScriptArguments({
  options: {
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '20' },
    show: { type: 'string' },
    help: { type: 'boolean' },
  },
})

const certifySeeds = async (from: number, count: number): Promise<number> => {
  const own = verdictsOf(await certifySpeaking({}))
  let different = 0
  for (let seed = from; seed < from + count; seed += 1) {
    const lines = deploymentOf(seed)
    const found = await certifySpeaking(lines, { variety: String(seed) }).then(
      results => differences(verdictsOf(results), verdictsIn(lines, own)),
      (error: Error) => [`no run: ${error.message}`],
    )
    different += found.length > 0 ? 1 : 0
    console.log([`seed ${seed}: ${found.length === 0 ? 'alike' : 'different'}`, ...found].join('\n  '))
  }
  return different > 0 ? 1 : 0
}

if (values.help) process.stdout.write(HELP)
else if (values.show !== undefined)
  process.stdout.write(profileText(deploymentOf(readScriptNumber('--show', values.show, 0))))
else
  process.exit(
    await certifySeeds(readScriptNumber('--from', values.from, 0), readScriptNumber('--seeds', values.seeds)),
  )
