import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { type BackingServices, openBackingServices } from '../dev-stores/backing-services.ts'
import { startChild, stopChild, temporaryFolder } from '../processes/children.ts'
import { buildClient } from '../run/build-client.ts'
import { endWithParent, reportAndExit } from '../run/terminal.ts'
import { affectedTests, baseCommit, changedSince, nearestFirst } from './affected-tests.ts'
import { runChecks } from './checks.ts'
import { findChromium } from './chromium.ts'
import { type Graph, graphOf, repositoryFiles } from './import-graph.ts'
import { type GroupResult, repeatFailed, reportOf } from './repeat-failed.ts'
import type { Summary } from './reporter.ts'
import { newestFirst, runShards, shardsOf } from './test-shards.ts'

/**
 * `npm test`: all tests but the long ones; `npm run test:slow`: the long ones of the server; `npm run test:stories`: those
 * of the client; `npm run test:faults`: those of faults/ and `*.faults.test.ts`. `npm test -- <files or options of mocha>`:
 * these; `--long`: all that `npm test` leaves out; `--changed` or `--changed=<commit>`: those that the changes since the
 * commit concern, by default since main or the last commit; `--headed` shows the browsers.
 * TEST_UNTIL (epoch seconds): files begin in the order in which the changes since TEST_SINCE concern them, and none after
 * that time; files that failed are repeated within five minutes more. Files still running after ten minutes are ended.
 * Left and ended files are named at the end.
 */

const ALL = '{shared,services,infra,web}/**/*.test.ts'
/** Tests that wait for time-outs of the stores, or write many rows. */
const LONG = ['infra/system-tests/faults/*.test.ts', '{shared,services,infra,web}/**/*.{slow,faults}.test.ts']

const HEADED = '--headed'
const LONG_ONLY = '--long'
const CHANGED = /^--changed(?:=(.+))?$/
/** ms after TEST_UNTIL. */
const REPEATED_UNTIL = 5 * 60_000
const ENDED_AFTER = 10 * 60_000

interface Totals {
  passed: number
  failed: number
  skipped: number
  /** Files that TEST_UNTIL left out. */
  left: number
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
  const hasRun = totals.passed > 0 || totals.left > 0
  process.exit(totals.failed > 0 || !hasRun ? 1 : 0)
} catch (err) {
  await close()
  await reportAndExit(err)
}

async function run(args: string[]): Promise<Totals> {
  const options = args.filter(argument => !isFile(argument) && !isOwn(argument))
  // Read by launchBrowser (shared/test-kit/browser.ts).
  if (args.includes(HEADED)) process.env['HEADED'] = '1'
  const graph = graphOf(repositoryFiles())
  const chosen = chooseFiles(args, graph)
  if (chosen.length === 0 && args.some(argument => CHANGED.test(argument))) {
    say('The changes concern no test.')
    process.exit(0)
  }
  const isWhole = !args.some(argument => isFile(argument) || argument === LONG_ONLY || CHANGED.test(argument))
  const failedChecks = isWhole ? await checks() : 0
  const until = Number(process.env['TEST_UNTIL'] ?? Number.POSITIVE_INFINITY) * 1_000
  const shards = shardsOf(Number.isFinite(until) ? nearestThenNewest(chosen, graph) : chosen, graph)
  const [stores, chromium] = await Promise.all([
    shards.needsStores ? openBackingServices({ ephemeral: true, say }) : undefined,
    shards.browsers.length > 0 ? findChromium(say) : undefined,
    shards.needsStores ? buildClient(say) : undefined,
  ])
  backing = stores
  say(stores ? `Tests (${stores.origin})` : 'Tests')
  const began = Date.now()
  const runGroup = (files: string[]) => runMocha(files, { options, stores, chromium, until })
  const first = await runShards(shards, runGroup, () => Date.now() > until)
  const { results, unstable } = await repeatFailed(
    first.results,
    runGroup,
    () => Date.now() > until + REPEATED_UNTIL,
  )
  say(`Tests took ${Math.round((Date.now() - began) / 1000)} s`)
  report(
    reportOf(
      results.flatMap(({ failures }) => failures),
      unstable,
    ),
  )
  const cut = results.filter(({ isCut }) => isCut).map(({ files }) => files)
  const left = [...cut, ...first.left].flat()
  if (left.length > 0) report([`Not run, because TEST_UNTIL had passed (${left.length}): ${left.join(', ')}`])
  const sum = (key: 'passed' | 'failed' | 'skipped') => results.reduce((total, one) => total + one[key], 0)
  const failed = sum('failed') + failedChecks
  return { passed: sum('passed'), failed, skipped: sum('skipped'), left: left.length }
}

async function checks(): Promise<number> {
  say('Checks')
  // The run has those tests anyway.
  return runChecks(say, { withTests: false })
}

function chooseFiles(args: string[], graph: Graph): string[] {
  const named = args.filter(isFile)
  const patterns = named.length > 0 ? named : args.includes(LONG_ONLY) ? LONG : ALL
  const files = globSync(patterns, { cwd: ROOT, exclude: patterns === ALL ? LONG : [] }).sort()
  const changed = args.map(argument => CHANGED.exec(argument)).find(match => match !== null)
  return changed ? affectedTests(files, changedSince(changed[1] ?? baseCommit()), graph) : files
}

/** At equal nearness files of the server go before those of the client, which take longer, and newer before older. */
function nearestThenNewest(files: string[], graph: Graph): string[] {
  const since = process.env['TEST_SINCE'] || baseCommit()
  const ofClient = (file: string) => Number(file.startsWith('web/'))
  const ordered = newestFirst(files).toSorted((a, b) => ofClient(a) - ofClient(b))
  return nearestFirst(ordered, changedSince(since), graph)
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

function isOwn(argument: string) {
  return argument === HEADED || argument === LONG_ONLY || CHANGED.test(argument)
}

interface Run {
  /** For mocha. */
  options: string[]
  stores: BackingServices | undefined
  chromium: string | undefined
  /** TEST_UNTIL in ms, or infinite. */
  until: number
}

async function runMocha(files: string[], { options, stores, chromium, until }: Run): Promise<GroupResult> {
  const summary = join(scratch, `totals-${randomUUID()}.json`)
  const mocha = [join(ROOT, 'node_modules/mocha/bin/mocha.js'), '--reporter', 'infra/test-runner/reporter.ts']
  const child = startChild(process.execPath, [...mocha, ...files, ...options], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      LOG_LEVEL: 'warn',
      ...process.env,
      ...(stores && { TEST_DATABASE_URL: stores.databaseUrl, TEST_REDIS_URL: stores.redisUrl }),
      TEST_BACKING_STAYS: process.env['DATABASE_URL'] ? '1' : '',
      TEST_SUMMARY: summary,
      ...(chromium && { CHROMIUM: chromium }),
    },
  })
  let isCut = false
  const cut = () => {
    isCut = true
    void stopChild(child)
  }
  // Timers take at most 24 days.
  const timer = Number.isFinite(until) ? setTimeout(cut, until + ENDED_AFTER - Date.now()) : undefined
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  if (isCut) return { files, passed: 0, failed: 0, skipped: 0, failures: [], isCut }
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
