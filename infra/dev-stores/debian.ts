import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { runToEnd } from '../processes/children.ts'
import { fail } from '../processes/fail.ts'

export const hasApt = () => existsSync('/usr/bin/apt-get') && existsSync('/usr/bin/dpkg-deb')

/**
 * Fetches a Debian package and its missing dependencies, and unpacks them into a folder. Needs no root and leaves the
 * system unchanged: no service starts, no package database is touched, removing the folder undoes it. Test files run at
 * the same time: each call works in a folder of its own, and the first to finish provides the result.
 */
export async function unpackPackage(name: string, folder: string, wish: PackageWish = {}) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  const work = mkdtempSync(`${folder}.work-`)
  try {
    await unpackInto(work, name, wish)
    renameSync(join(work, 'root'), folder)
  } catch (err) {
    if (!existsSync(folder)) throw err
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

interface PackageWish {
  /** Packages with files of the program: unpacked even where the system has them. Default: the package itself. */
  parts?: readonly string[]
  /** The system's list of packages. */
  status?: string
}

async function unpackInto(
  work: string,
  name: string,
  { parts = [name], status = '/var/lib/dpkg/status' }: PackageWish,
) {
  for (const part of ['lists/partial', 'archives/partial', 'root'])
    mkdirSync(join(work, part), { recursive: true })
  const options = [
    `Dir::State::Lists=${work}/lists`,
    `Dir::Cache=${work}`,
    `Dir::Cache::archives=${work}/archives`,
    // apt's account could not write here, and its lock belongs to the system.
    'APT::Sandbox::User=root',
    'Debug::NoLocking=true',
    'APT::Install-Recommends=false',
    `Dir::State::status=${statusWithout(parts, status, work)}`,
  ].flatMap(option => ['-o', option])
  const quiet = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }

  const updated = await runToEnd('apt-get', [...options, '-qq', 'update'], quiet)
  if (!updated.ok) fail(`Debian's package lists could not be fetched:\n${updated.output}`)
  const fetched = await runToEnd(
    'apt-get',
    [...options, '-qq', '-y', '--download-only', 'install', name],
    quiet,
  )
  if (!fetched.ok) fail(`Debian's package ${name} could not be fetched:\n${fetched.output}`)
  for (const file of readdirSync(join(work, 'archives')).filter(file => file.endsWith('.deb'))) {
    const unpacked = await runToEnd('dpkg-deb', ['-x', join(work, 'archives', file), join(work, 'root')])
    if (!unpacked.ok) fail(`${file} could not be unpacked:\n${unpacked.output}`)
  }
}

/**
 * The system's list of packages without these and those that need them: then apt fetches them, in the version of the
 * archive, whatever version the system has.
 */
function statusWithout(parts: readonly string[], system: string, work: string): string {
  const mentions = new RegExp(
    `^(Package|Depends|Pre-Depends):.*(?<![\\w-])(${parts.join('|')})(?![\\w-])`,
    'm',
  )
  const packages = readFileSync(system, 'utf8').split(/\n\n+/)
  const file = join(work, 'packages')
  writeFileSync(file, `${packages.filter(one => !mentions.test(one)).join('\n\n')}\n`)
  return file
}

/** The environment in which a program from such a folder finds its libraries. */
export function unpackedEnvironment(folder: string): NodeJS.ProcessEnv {
  const libraries = ['usr/lib', 'lib'].flatMap(path => {
    const base = join(folder, path)
    const nested = existsSync(base) ? readdirSync(base).filter(name => name.endsWith('-linux-gnu')) : []
    return [base, ...nested.map(name => join(base, name))]
  })
  return { LD_LIBRARY_PATH: libraries.join(':') }
}
