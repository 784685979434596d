import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { type BackingServices, openBackingServices } from '../dev-stores/backing-services.ts'
import { startChild, temporaryFolder } from '../processes/children.ts'
import { buildClient } from '../run/build-client.ts'
import { endWithParent, reportAndExit } from '../run/terminal.ts'
import { runChecks } from './checks.ts'
import { findChromium } from './chromium.ts'
import { type GroupResult, repeatFailed, reportOf } from './repeat-failed.ts'
import type { Summary } from './reporter.ts'
import { newestFirst, runShards, shardsOf } from './test-shards.ts'

/**
 * `npm test`: all tests but the slow ones; `npm run test:slow`: the slow ones of the server; `npm run test:stories`: those
 * of the client; `npm run test:faults`: those of faults/ and `*.faults.test.ts`; `npm test -- <files or options of mocha>`: these; `--headed` shows the browsers.
 * TEST_UNTIL (epoch seconds): files begin newest first, and none after that time; the rest is named.
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
  report([`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`])
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
    // The run has those tests anyway.
    failedChecks = await runChecks(say, { withTests: false })
  }
  const until = Number(process.env['TEST_UNTIL'] ?? Number.POSITIVE_INFINITY) * 1_000
  const shards = shardsOf(Number.isFinite(until) ? newestFirst(chosen) : chosen)
  const [stores, chromium] = await Promise.all([
    openBackingServices({ ephemeral: true, say }),
    shards.browsers.length > 0 ? findChromium(say) : undefined,
    buildClient(say),
  ])
  backing = stores
  say(`Tests (${stores.origin})`)
  const began = Date.now()
  const runGroup = (files: string[]) => runMocha(files, options, stores, chromium)
  const first = await runShards(shards, runGroup, () => Date.now() > until)
  const { results, unstable } = await repeatFailed(first.results, runGroup)
  say(`Tests took ${Math.round((Date.now() - began) / 1000)} s`)
  report(
    reportOf(
      results.flatMap(({ failures }) => failures),
      unstable,
    ),
  )
  if (first.left.length > 0)
    report([`Not run, because TEST_UNTIL had passed (${first.left.length}): ${first.left.flat().join(', ')}`])
  const sum = (key: keyof Totals) => results.reduce((total, one) => total + one[key], 0)
  return { passed: sum('passed'), failed: sum('failed') + failedChecks, skipped: sum('skipped') }
}

/** Prints the lines, and appends them to the file named by TEST_REPORT, which .ci/run shows at its end. */
function report(lines: string[]) {
  for (const line of lines) say(line)
  const { TEST_REPORT } = process.env
  if (TEST_REPORT) appendFileSync(TEST_REPORT, lines.map(line => `${line}\n`).join(''))
}

function isFile(argument: string) {
  return argument.endsWith('.test.ts')
}

async function runMocha(
  files: string[],
  options: string[],
  stores: BackingServices,
  chromium: string | undefined,
): Promise<GroupResult> {
  const summary = join(scratch, `totals-${randomUUID()}.json`)
  const mocha = [join(ROOT, 'node_modules/mocha/bin/mocha.js'), '--reporter', 'infra/test-runner/reporter.ts']
  const child = startChild(process.execPath, [...mocha, ...files, ...options], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      LOG_LEVEL: 'warn',
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
  if (!existsSync(summary)) {
    const failures = [{ title: files.join(', '), reason: 'mocha ended without totals' }]
    return { files, passed: 0, failed: 1, skipped: 0, failures }
  }
  const { passed, skipped, failures }: Summary = JSON.parse(readFileSync(summary, 'utf8'))
  if (failures.length === 0 && code !== 0)
    failures.push({ title: files.join(', '), reason: `mocha ended with code ${code}` })
  return { files, passed, failed: failures.length, skipped, failures }
}

async function close() {
  const open = backing
  backing = undefined
  await open?.stop()
  forgetScratch()
}
