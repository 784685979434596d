import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasApt, unpackedEnvironment, unpackPackage } from '../dev-stores/debian.ts'
import { findOnPath } from '../dev-stores/redis.ts'
import { runToEnd } from '../processes/children.ts'
import { DATA } from '../processes/data-folder.ts'
import { fail } from '../processes/fail.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Returns the path of the browser for the tests: CHROMIUM, else an installed one, else fetched from Debian (installed
 * if root, otherwise unpacked into `.data` without touching the system).
 */
export async function findChromium(say: (line: string) => void): Promise<string> {
  if (process.env['CHROMIUM']) return process.env['CHROMIUM']
  const program = search()
  if (program) return program
  if (!hasApt()) fail('The browser tests need Chromium: install it, or say in CHROMIUM where it is.')
  say('Fetching Chromium from Debian (once, for the browser tests) …')
  return process.getuid?.() === 0 ? installed() : unpacked()
}

/** Ubuntu's `chromium-browser` only asks to install a snap. */
const search = () =>
  [...NAMES.flatMap(name => findOnPath(name) ?? []), ...ELSEWHERE.filter(path => existsSync(path))].find(
    path => spawnSync(path, ['--version']).status === 0,
  )

async function installed(): Promise<string> {
  const quiet = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const packages = ['chromium', 'fonts-dejavu-core', 'fonts-noto-color-emoji']
  const updated = await runToEnd('apt-get', ['-qq', 'update'], quiet)
  const done = await runToEnd(
    'apt-get',
    ['-qq', '-y', '--no-install-recommends', 'install', ...packages],
    quiet,
  )
  return search() ?? fail(`Chromium could not be installed:\n${updated.output}${done.output}`)
}

async function unpacked(): Promise<string> {
  const folder = join(DATA, 'chromium')
  const script = join(folder, 'chromium')
  if (!existsSync(script)) {
    await unpackPackage('chromium', folder, { parts: ['chromium', 'chromium-common'] })
    writeFileSync(script, launcher(folder))
    chmodSync(script, 0o755)
  }
  if (spawnSync(script, ['--version']).status !== 0)
    fail('Chromium does not run here: install it as your system has it.')
  return script
}

/** Points the browser to the libraries and fonts in the folder, besides the fonts of the system. */
function launcher(folder: string): string {
  const { LD_LIBRARY_PATH } = unpackedEnvironment(folder)
  return [
    '#!/bin/sh',
    `export LD_LIBRARY_PATH='${LD_LIBRARY_PATH}'`,
    `export XDG_DATA_HOME='${folder}/usr/share'`,
    `[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE='${folder}/etc/fonts/fonts.conf'`,
    `exec '${folder}/usr/lib/chromium/chromium' "$@"`,
    '',
  ].join('\n')
}
