import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect } from 'chai'
import pg from 'pg'
import { withDatabase } from '#shared/runtime/database-url.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { temporaryFolder } from '../processes/children.ts'
import { ForgedBackup, type Loose } from './forged-backup.fixture.ts'
import { runCommand } from './run-command.ts'

const OURS = ['DATABASE_ADMIN_URL', 'BACKUP_DIR', 'BACKUP_PASSPHRASE']
const NAMES = 'names.jsonl.zst'
const POOL = 'pool.jsonl.zst'
const USERS = 'tables/users.copy.zst'
const HEX = '0'.repeat(32)

/** A change of a backup, with all checksums right, and the refusal of `verify` and `restore`. */
interface Forgery {
  it: string
  says: string
  forge(backup: ForgedBackup): void
}

const table = (backup: ForgedBackup, name = 'users') =>
  backup.manifest.tables.find((one: Loose) => one.name === name)

const ofNames = (it: string, name: string): Forgery => ({
  it: `a file is named ${it}`,
  says: `${NAMES} has a line that bothy does not write`,
  forge: backup => backup.setLines(NAMES, ([, ...rest]) => [JSON.stringify({ name, size: 21 }), ...rest]),
})
const ofPool = (
  it: string,
  change: Loose,
  says = `${POOL} has a line that bothy does not write`,
): Forgery => ({
  it: `the list of files has ${it}`,
  says,
  forge: backup =>
    backup.setLines(POOL, ([first, ...rest]) => [
      JSON.stringify({ ...JSON.parse(first!), ...change }),
      ...rest,
    ]),
})
const ofManifest = (
  it: string,
  says: string,
  change: (manifest: Loose, backup: ForgedBackup) => void,
): Forgery => ({
  it: `the manifest has ${it}`,
  says,
  forge: backup => change(backup.manifest, backup),
})
const FIELD = 'manifest.json has a field that bothy does not write'

const FORGERIES: Forgery[] = [
  ofNames('../escaped', '../escaped'),
  ofNames('by an absolute path', '/tmp/escaped'),
  ofNames('..', '..'),
  ofNames('as no file of bothy', 'plan.txt'),
  ofNames('as a path behind a good start', `${HEX}_a/../../escaped`),
  ofNames('with a NUL', `${HEX}_a\0.txt`),
  ofNames('as another file than its bytes', `${HEX}_other.txt`),
  {
    it: 'two files have changed names',
    says: `${NAMES} has a line that bothy does not write`,
    forge: backup => backup.setLines(NAMES, ([one, other, ...rest]) => [other!, one!, ...rest]),
  },
  {
    it: 'a line of the names has two megabytes',
    says: `${NAMES} has a line that bothy does not write`,
    forge: backup => backup.setLines(NAMES, lines => ['x'.repeat(2_000_000), ...lines]),
  },
  {
    it: 'a name is listed too many',
    says: `${NAMES} has more lines than ${POOL}`,
    forge: backup => backup.setLines(NAMES, lines => [...lines, lines[0]!]),
  },
  {
    it: 'a name lacks',
    says: `${NAMES} has fewer lines than ${POOL}`,
    forge: backup => backup.setLines(NAMES, lines => lines.slice(0, -1)),
  },
  ofPool('a path out of the place', { path: '../../escaped' }),
  ofPool('a path into a backup', { path: 'files/00/../../manifest.json' }),
  ofPool('a name in a wrong folder', { path: `files/zz/${HEX}_a.txt` }),
  ofPool('text for a size', { bytes: '21' }),
  ofPool('a further field', { mode: 0o4755 }),
  ofPool('no checksum', { sha256: 'x' }),
  {
    it: 'the list of files has one twice',
    says: `${POOL} has a line that bothy does not write`,
    forge: backup => backup.setLines(POOL, ([first]) => [first!, first!]),
  },
  {
    it: 'the list of files has more than the manifest',
    says: `${POOL} has more than 1 files`,
    forge: backup => {
      backup.manifest.files.count = 1
    },
  },
  ofManifest('SQL for a table', FIELD, manifest => {
    manifest.tables[0].name = "users\" (name) from program 'touch /tmp/x'; --"
  }),
  ofManifest('SQL for a column', FIELD, (_, backup) => {
    table(backup).columns[0] = 'username") from stdin; drop table messages; --'
  }),
  ofManifest('SQL for a type', FIELD, (_, backup) => {
    table(backup).types[0] = 'text default pg_sleep(10)'
  }),
  ofManifest('another kind of SQL for a type', FIELD, (_, backup) => {
    table(backup).types[0] = 'text); drop table messages; --'
  }),
  ofManifest('SQL for a sequence', FIELD, manifest => {
    manifest.sequences['x"; drop table users; --'] = 1
  }),
  ofManifest('a path for a migration', FIELD, manifest => {
    manifest.migrations.push('../../evil.sql')
  }),
  ofManifest('a part elsewhere', FIELD, (_, backup) => {
    backup.entry(USERS).path = '../../etc/passwd'
  }),
  ofManifest('a part of another table', 'is not of one piece', (_, backup) => {
    table(backup).part = 'tables/messages.copy.zst'
  }),
  ofManifest('a part twice', 'is not of one piece', manifest => manifest.parts.push(manifest.parts[0])),
  ofManifest('a secret by a path', FIELD, manifest => {
    manifest.secrets = ['../../home/.ssh/authorized_keys']
  }),
  ofManifest('secrets without encryption', 'is not of one piece', manifest => {
    manifest.secrets = ['session-secret']
  }),
  ofManifest('a missing file with codes for the terminal', FIELD, manifest => {
    manifest.files.missing = { count: 1, names: ['\u001b[2J'] }
  }),
  ofManifest('codes for the terminal in its version', FIELD, manifest => {
    manifest.app_version = '\u001b]0;x\u0007'
  }),
  ofManifest('a scrypt that takes a gigabyte', FIELD, manifest => {
    manifest.encryption = { salt: `${'A'.repeat(22)}==`, n: 2 ** 20, r: 8, p: 1, check: '0'.repeat(16) }
  }),
  ofManifest('a negative number of rows', FIELD, (_, backup) => {
    table(backup).rows = -1
  }),
  ofManifest('a time that is none', FIELD, manifest => {
    manifest.made_ts = 1e300
  }),
  ofManifest('a further field', FIELD, manifest => {
    manifest.hook = '/bin/sh'
  }),
  ofManifest('an unknown version', 'a form that this bothy does not know', manifest => {
    manifest.version = 3
  }),
  ofManifest('no tables', FIELD, manifest => {
    delete manifest.tables
  }),
  ofManifest('too many bytes', 'has more than', (manifest, backup) => {
    writeFileSync(
      join(backup.path, 'manifest.json'),
      JSON.stringify({ ...manifest, x: 'x'.repeat(5_000_000) }),
    )
    backup.seal = () => {}
  }),
  ofManifest('no JSON', 'manifest.json is no JSON', (_, backup) => {
    const { seal } = backup
    backup.seal = () => seal.call(backup, '{"format": "bothy-backup", ')
  }),
  {
    it: 'a table unpacks to more than its manifest says',
    says: `${USERS} unpacks to more bytes than its manifest says`,
    forge: backup => {
      const { content_bytes } = backup.entry(USERS)
      backup.setContent(USERS, Buffer.alloc(300 * 2 ** 20))
      backup.entry(USERS).content_bytes = content_bytes
    },
  },
  {
    it: 'a table unpacks to thousands of times its size, as its manifest says',
    says: `${USERS} would unpack to more than 1000 times its size`,
    forge: backup => backup.setContent(USERS, Buffer.alloc(300 * 2 ** 20)),
  },
  {
    it: 'the list of names unpacks to three hundred megabytes without an end of a line',
    says: `${NAMES} `,
    forge: backup => {
      backup.setStored(NAMES, zstdCompressSync(Buffer.alloc(300 * 2 ** 20, 'x')))
    },
  },
  {
    it: 'a table unpacks to less',
    says: `${USERS} unpacks to`,
    forge: backup => {
      backup.entry(USERS).content_bytes++
    },
  },
  {
    it: 'a table is no zstd',
    says: `${USERS} cannot be read`,
    forge: backup => backup.setStored(USERS, Buffer.from('heather')),
  },
  {
    it: 'a table has other rows than the manifest says',
    says: `${USERS} has other rows than manifest.json says`,
    forge: backup => {
      const { sha256 } = table(backup)
      backup.setContent(USERS, Buffer.concat([backup.contentOf(USERS), Buffer.from('x\n')]))
      table(backup).sha256 = sha256
    },
  },
  {
    it: 'the settings have two megabytes',
    says: 'settings.json.zst unpacks to more bytes',
    forge: backup => backup.setContent('settings.json.zst', 'x'.repeat(2_000_000)),
  },
  {
    it: 'a part is a symbolic link',
    says: `${USERS} is a symbolic link`,
    forge: ({ path }) => {
      renameSync(join(path, USERS), join(path, 'elsewhere'))
      symlinkSync('../elsewhere', join(path, USERS))
    },
  },
  {
    it: 'the folder of tables is a symbolic link',
    says: '/tables is a symbolic link',
    forge: ({ path }) => {
      renameSync(join(path, 'tables'), join(path, 'elsewhere'))
      symlinkSync('elsewhere', join(path, 'tables'))
    },
  },
  {
    it: 'a part is a pipe that nobody writes into',
    says: `${USERS} is no file`,
    forge: ({ path }) => {
      rmSync(join(path, USERS))
      execFileSync('mkfifo', [join(path, USERS)])
    },
  },
  {
    it: 'the manifest is a symbolic link',
    says: 'manifest.json is a symbolic link',
    forge: backup => {
      const { seal } = backup
      backup.seal = () => {
        seal.call(backup)
        renameSync(join(backup.path, 'manifest.json'), join(backup.path, 'm'))
        symlinkSync('m', join(backup.path, 'manifest.json'))
      }
    },
  },
]

describe('a forged backup', function () {
  this.timeout(300_000)
  let world: World
  let folder: ReturnType<typeof temporaryFolder>
  let original: string
  const outside = { ...process.env }

  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design'] } })
    folder = temporaryFolder('bothy-forged-')
    Object.assign(process.env, world.backing.env, {
      DATABASE_ADMIN_URL: world.backing.adminDatabaseUrl,
      BACKUP_DIR: join(folder.path, 'backups'),
    })
    await world.ada.sendFiles('general', [{ name: 'plan.txt', bytes: 'Paint the door green.' }])
    await world.ada.sendFiles('general', [{ name: 'other.txt', bytes: 'The key is under the stone.' }])
    original = await make()
  })
  after(async () => {
    for (const name of [...Object.keys(world.backing.env), ...OURS]) {
      if (outside[name] === undefined) delete process.env[name]
      else process.env[name] = outside[name]
    }
    folder.remove()
    await world.end()
  })
  afterEach(() => {
    delete process.env['BACKUP_PASSPHRASE']
  })

  async function make(): Promise<string> {
    const { output, fault } = await runCommand(['backup', '--to', join(folder.path, randomUUID()), '--json'])
    expect(fault).to.equal('')
    return (JSON.parse(output) as { path: string }).path
  }
  const copyOf = (path: string) => new ForgedBackup(path, join(folder.path, randomUUID()))
  const newDatabase = () =>
    withDatabase(world.backing.adminDatabaseUrl, `bothy_forged_${randomUUID().slice(0, 8)}`)

  /** Databases beside that of the test, and files of the test but those of the backup itself. */
  async function traces(backup: ForgedBackup) {
    const client = new pg.Client(world.backing.adminDatabaseUrl)
    await client.connect()
    // Other tests make databases of their own meanwhile.
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where starts_with(datname, current_database()) order by 1`,
    )
    await client.end()
    const files = readdirSync(folder.path, { recursive: true }) as string[]
    const ours = backup.place.slice(folder.path.length + 1)
    return { rows, files: files.filter(name => !name.startsWith(ours)).sort() }
  }

  /** Both commands say it in a line with the next step, and write nothing. */
  async function expectRefused(backup: ForgedBackup, says: string, ...flags: string[]) {
    const files = join(folder.path, 'files')
    mkdirSync(files, { recursive: true })
    const before = await traces(backup)
    const commands = [
      ['verify', backup.path, ...flags],
      ['restore', backup.path, '--into', newDatabase(), '--files', join(files, 'new'), ...flags],
    ]
    for (const words of commands) {
      const { exitCode, output, fault } = await runCommand(words)
      expect({ exitCode, output }, fault).to.deep.equal({ exitCode: 1, output: '' })
      expect(fault, words[0]).to.include(says).and.not.include('\n')
      expect(fault, words[0]).to.match(/npm run admin -- backups?`/)
      expect(fault.length).to.be.lessThan(500)
    }
    expect(await traces(backup)).to.deep.equal(before)
  }

  for (const { it: what, says, forge } of FORGERIES)
    it(`is refused where ${what}`, async () => {
      const backup = copyOf(original)
      forge(backup)
      backup.seal()
      await expectRefused(backup, says)
      backup.end()
    })

  it('with a value that does not fit its column is refused without telling the value', async () => {
    const backup = copyOf(original)
    backup.setContent(
      'tables/messages.copy.zst',
      backup.contentOf('tables/messages.copy.zst').toString('utf8').replace(/^\d+/, 'weecfb01'),
    )
    backup.seal()
    const before = await traces(backup)
    const { exitCode, fault } = await runCommand(['restore', backup.path, '--into', newDatabase()])
    expect(exitCode).to.equal(1)
    expect(fault).to.equal(
      'tables/messages.copy.zst cannot be loaded into the table messages: invalid input syntax for type bigint: "…" (line 1, column id). Nothing was changed. `npm run admin -- backups` lists the others.',
    )
    const drill = await runCommand(['verify', backup.path, '--drill'])
    expect(drill.fault).to.include('cannot be loaded into the table messages').and.not.include('weecfb01')
    expect(await traces(backup)).to.deep.equal(before)
    backup.end()
  })

  it('without encryption is refused where there is a passphrase, unless its origin is known', async () => {
    const backup = copyOf(original)
    process.env['BACKUP_PASSPHRASE'] = 'four words on paper'
    await expectRefused(backup, 'is not encrypted, although there is a passphrase')
    const verified = await runCommand(['verify', backup.path, '--unencrypted', '--json'])
    expect(JSON.parse(verified.output)).to.include({ ok: true, authentic: false })
    const drill = await runCommand(['verify', backup.path, '--drill'])
    expect(drill.fault).to.include('--unencrypted')
    backup.end()
  })

  it('with a passphrase is refused once its manifest, its signature or a part is that of another', async () => {
    process.env['BACKUP_PASSPHRASE'] = 'four words on paper'
    const [path, other] = [await make(), await make()]
    const verified = await runCommand(['verify', path, '--json'])
    expect(JSON.parse(verified.output)).to.include({ ok: true, authentic: true })

    const refusals: [string, (backup: ForgedBackup) => Promise<void> | void][] = [
      [
        'manifest.json was not written with this passphrase',
        backup => {
          backup.manifest.made_ts++
          backup.seal()
        },
      ],
      [
        'manifest.json was not written with this passphrase',
        ({ path }) => rmSync(join(path, 'manifest.hmac')),
      ],
      [
        'manifest.json was not written with this passphrase',
        backup => {
          copyFileSync(join(other, 'manifest.hmac'), join(backup.path, 'manifest.hmac'))
        },
      ],
      [
        'tables/users.copy.zst',
        backup => {
          copyFileSync(join(other, USERS), join(backup.path, USERS))
        },
      ],
      // A manifest of version 1 has no signature, and the parts do not open without their id.
      [
        'is not authenticated',
        backup => {
          delete backup.manifest.id
          backup.manifest.version = 1
          rmSync(join(backup.path, 'manifest.hmac'))
          backup.seal()
        },
      ],
    ]
    for (const [says, forge] of refusals) {
      const backup = copyOf(path)
      await forge(backup)
      await expectRefused(backup, says)
      if (says === 'is not authenticated') await expectRefused(backup, 'cannot be read', '--unsigned')
      backup.end()
    }
  })

  it('of a former release is restored, an encrypted one if its origin is known', async () => {
    for (const passphrase of [undefined, 'four words on paper']) {
      if (passphrase) process.env['BACKUP_PASSPHRASE'] = passphrase
      const backup = copyOf(passphrase ? await make() : original)
      await backup.toVersion1(passphrase)
      const flags = passphrase ? ['--unsigned'] : []
      if (passphrase) await expectRefused(backup, 'say --unsigned')
      const verified = await runCommand(['verify', backup.path, ...flags, '--json'])
      expect(verified, verified.output).to.include({ exitCode: 0 })
      const into = newDatabase()
      const files = join(folder.path, randomUUID())
      const restored = await runCommand([
        'restore',
        backup.path,
        '--into',
        into,
        '--files',
        files,
        ...flags,
        '--json',
      ])
      await world.backing.admin(`drop database if exists ${new URL(into).pathname.slice(1)} with (force)`)
      expect(JSON.parse(restored.output)).to.deep.include({ files: { copied: 2, there: 0 } })
      // The next backup of such a place is whole too.
      const next = await runCommand(['backup', '--to', backup.place, '--json'])
      const { path } = JSON.parse(next.output) as { path: string }
      expect(await runCommand(['verify', path])).to.include({ exitCode: 0 })
      backup.end()
    }
  })
})
