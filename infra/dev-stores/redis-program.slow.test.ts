import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../processes/children.ts'
import { hasApt, unpackedEnvironment, unpackPackage } from './debian.ts'
import { findRedis, serve } from './redis.ts'
import { privateFolder, storeAccount } from './store-account.ts'

/** A program that tells a version, as `redis-server --version` does, or fails. */
const program = (line: string) => `#!/bin/sh\n${line}\n`

describe('the Redis of npm start', function () {
  this.timeout(300_000)
  const { PATH } = process.env
  let folder: string
  let remove: () => void

  beforeEach(() => {
    ;({ path: folder, remove } = temporaryFolder('bothy-redis-program-'))
    chmodSync(folder, 0o755)
  })
  afterEach(() => {
    process.env.PATH = PATH
    remove()
  })

  it('comes from Debian also where the system has redis-tools without redis-server', async function () {
    if (!hasApt()) this.skip()
    const status = join(folder, 'status')
    writeFileSync(
      status,
      `${readFileSync('/var/lib/dpkg/status', 'utf8').trimEnd()}\n\n${[
        'Package: redis-tools',
        'Status: install ok installed',
        'Architecture: amd64',
        'Source: redis',
        // Newer than the archive: redis-server needs tools of its own version.
        'Version: 5:99-1',
        'Maintainer: a test <test@example.org>',
        'Description: as an installed one',
      ].join('\n')}\n`,
    )
    const unpacked = join(folder, 'redis')
    await unpackPackage('redis-server', unpacked, { parts: ['redis-server', 'redis-tools'], status })
    const account = storeAccount()
    const data = privateFolder(join(folder, 'data'), account)
    const path = join(unpacked, 'usr/bin/redis-server')
    const store = await serve({
      program: { path, env: unpackedEnvironment(unpacked) },
      folder: data,
      account,
      log: join(folder, 'log'),
      settings: [],
    })
    await store.stop()
  })

  it('is the first on the PATH that runs: not a broken link, a folder, a broken program or an old one', async () => {
    const folders = ['link', 'folder', 'broken', 'old', 'good'].map(name => join(folder, name))
    for (const one of folders) mkdirSync(one)
    const [link, directory, broken, old, good] = folders.map(one => join(one, 'redis-server'))
    symlinkSync('/nowhere', link!)
    mkdirSync(directory!)
    writeFileSync(broken!, program('echo "error while loading shared libraries" >&2; exit 127'), {
      mode: 0o755,
    })
    writeFileSync(old!, program('echo "Redis server v=4.0.9 sha=0"'), { mode: 0o755 })
    writeFileSync(good!, program('echo "Redis server v=7.0.15 sha=0"'), { mode: 0o755 })
    process.env.PATH = [...folders, PATH].join(delimiter)
    expect((await findRedis(() => {})).path).to.equal(good)
  })
})
