import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { type BackingServices, openBackingServices } from '../dev-stores/backing-services.ts'
import { startChild, temporaryFolder } from '../processes/children.ts'
import { buildClient } from '../run/build-client.ts'
import { endWithParent, reportAndExit } from '../run/terminal.ts'
import { runChecks } from './checks.ts'
import { findChromium } from './chromium.ts'
import { runShards, shardsOf } from './test-shards.ts'

/**
 * `npm test`: all tests but the slow ones; `npm run test:slow`: the slow ones of the server; `npm run test:stories`: those
 * of the client; `npm run test:faults`: those of faults/ and `*.faults.test.ts`; `npm test -- <files or options of mocha>`: these; `--headed` shows the browsers.
 */

const ALL = '{shared,services,infra,web}/**/*.test.ts'
/** Tests that wait for time-outs of the stores, or write many rows. */
const SLOW = ['infra/system-tests/faults/*.test.ts', '{shared,services,infra,web}/**/*.{slow,faults}.test.ts']

/** Shows the browsers of the tests. */
const HEADED = '--headed'

interface Totals {
  passed: number
  failed: number
  skipped: number
}

const say = (line: string) => console.log(line)
const { path: scratch, remove: forgetScratch } = temporaryFolder('bothy-run-')
let backing: BackingServices | undefined

endWithParent(close, 130)
try {
  const totals = await run(process.argv.slice(2))
  await close()
  // Alone on the last line, for programs that read only this line.
  say(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
  process.exit(totals.failed > 0 || totals.passed === 0 ? 1 : 0)
} catch (err) {
  await close()
  await reportAndExit(err)
}

async function run(args: string[]): Promise<Totals> {
  const some = args.filter(isFile)
  const options = args.filter(argument => !isFile(argument) && argument !== HEADED)
  // Read by launchBrowser (shared/test-kit/browser.ts).
  if (args.includes(HEADED)) process.env['HEADED'] = '1'
  const chosen = globSync(some.length > 0 ? some : ALL, {
    cwd: ROOT,
    exclude: some.length > 0 ? [] : SLOW,
  }).sort()
  let failedChecks = 0
  if (some.length === 0) {
    say('Checks')
    failedChecks = await runChecks(say)
  }
  const shards = shardsOf(chosen)
  const [stores, chromium] = await Promise.all([
    openBackingServices({ ephemeral: true, say }),
    shards.browsers.length > 0 ? findChromium(say) : undefined,
    buildClient(say),
  ])
  backing = stores
  say(`Tests (${stores.origin})`)
  const began = Date.now()
  const all = await runShards(shards, files => runMocha([...files, ...options], stores, chromium))
  say(`Tests took ${Math.round((Date.now() - began) / 1000)} s`)
  const sum = (key: keyof Totals) => all.reduce((total, one) => total + one[key], 0)
  return { passed: sum('passed'), failed: sum('failed') + failedChecks, skipped: sum('skipped') }
}

function isFile(argument: string) {
  return argument.endsWith('.test.ts')
}

async function runMocha(
  args: string[],
  stores: BackingServices,
  chromium: string | undefined,
): Promise<Totals> {
  const summary = join(scratch, `totals-${randomUUID()}.json`)
  const mocha = [join(ROOT, 'node_modules/mocha/bin/mocha.js'), '--reporter', 'infra/test-runner/reporter.ts']
  const child = startChild(process.execPath, [...mocha, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      LOG_LEVEL: 'warn',
      // The tests start hundreds of processes from the same files: they share the compiled code.
      NODE_COMPILE_CACHE: join(scratch, 'compiled'),
      ...process.env,
      TEST_DATABASE_URL: stores.databaseUrl,
      TEST_REDIS_URL: stores.redisUrl,
      TEST_BACKING_STAYS: process.env['DATABASE_URL'] ? '1' : '',
      TEST_SUMMARY: summary,
      ...(chromium && { CHROMIUM: chromium }),
    },
  })
  const [code] = await once(child, 'exit')
  // Without totals mocha did not reach its end: a file could not be loaded, or it crashed.
  if (!existsSync(summary)) return { passed: 0, failed: 1, skipped: 0 }
  const { passes, failures, pending } = JSON.parse(readFileSync(summary, 'utf8'))
  const leftOpen = failures === 0 && code !== 0 ? 1 : 0
  return { passed: passes, failed: failures + leftOpen, skipped: pending }
}

async function close() {
  const open = backing
  backing = undefined
  await open?.stop()
  forgetScratch()
}
