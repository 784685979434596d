import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../processes/children.ts'

/** Stands for the engine: `images` has a line for each running api container, `volumes` one for each volume. */
const DOCKER = `#!/bin/sh
echo "docker $*" >> "$STATE/calls"
case "$*" in
  'compose ps --quiet --status running api') cat "$STATE/images" ;;
  'volume ls --quiet --filter label=com.docker.compose.project=office') cat "$STATE/volumes" ;;
  'image inspect --format {{.Id}} bothy:2') echo new ;;
  'inspect --format {{.Image}} '*) echo "$4" ;;
esac
`
const UPGRADE = `#!/bin/sh
echo "upgrade $*" >> "$STATE/calls"
exit "$(cat "$STATE/upgrade-code")"
`

/** Its decisions, without an engine; infra/system-tests/offline-bundle.slow.test.ts has one. */
describe('install.sh of the bundle', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let bundle: string
  let state: string

  beforeEach(() => {
    folder = temporaryFolder('bothy-install-')
    bundle = join(folder.path, 'bundle')
    state = join(folder.path, 'state')
    for (const path of [join(bundle, 'infra'), join(folder.path, 'bin'), state])
      mkdirSync(path, { recursive: true })
    copyFileSync(join(import.meta.dirname, 'install.sh'), join(bundle, 'install.sh'))
    program(join(bundle, 'infra/upgrade.sh'), UPGRADE)
    program(join(folder.path, 'bin/docker'), DOCKER)
    writeFileSync(join(bundle, 'image-name'), 'bothy:2\n')
    writeFileSync(join(bundle, '.env'), 'COMPOSE_PROJECT_NAME=office\nPORT=80\n')
    const sums = ['install.sh', 'infra/upgrade.sh', 'image-name'].map(name => {
      const sum = createHash('sha256')
        .update(readFileSync(join(bundle, name)))
        .digest('hex')
      return `${sum}  ${name}\n`
    })
    writeFileSync(join(bundle, 'SHA256SUMS'), sums.join(''))
    has({})
  })
  afterEach(() => folder.remove())

  function program(path: string, text: string) {
    writeFileSync(path, text)
    chmodSync(path, 0o755)
  }
  function has({ images = '', volumes = '', upgradeCode = 0 }) {
    writeFileSync(join(state, 'images'), images)
    writeFileSync(join(state, 'volumes'), volumes)
    writeFileSync(join(state, 'upgrade-code'), String(upgradeCode))
    writeFileSync(join(state, 'calls'), '')
  }
  function install(...args: string[]) {
    const env = { PATH: `${join(folder.path, 'bin')}:${process.env['PATH']}`, STATE: state }
    const { status, stderr } = spawnSync('sh', [join(bundle, 'install.sh'), ...args], {
      env,
      encoding: 'utf8',
    })
    const calls = readFileSync(join(state, 'calls'), 'utf8').split('\n').filter(Boolean)
    return { status, stderr, done: calls.filter(call => !/ (?:ps|ls|inspect) /.test(call)) }
  }
  const variables = () => readFileSync(join(bundle, '.env'), 'utf8')

  const LOAD = 'docker load --quiet --input images.tar.gz'
  const START = ['docker compose up --detach --wait --no-build', 'docker compose run --rm admin owner-link']

  it('starts a new installation with the image of the bundle, and again when it is repeated', () => {
    appendFileSync(join(bundle, '.env'), 'BOTHY_IMAGE=bothy:before-20261101T020000\n')
    expect(install()).to.deep.include({ status: 0, done: [LOAD, ...START] })
    expect(variables()).to.equal('COMPOSE_PROJECT_NAME=office\nPORT=80\nBOTHY_IMAGE=bothy:2\n')
    has({ volumes: 'office_postgres\n' })
    expect(install(), 'whose first start failed').to.deep.include({ status: 0, done: [LOAD, ...START] })
    has({ images: 'new\n', volumes: 'office_postgres\n' })
    expect(install(), 'that runs').to.deep.include({ status: 0, done: [LOAD, ...START] })
  })

  it('upgrades a running one by infra/upgrade.sh, and then starts what is left', () => {
    has({ images: 'new\nold\n', volumes: 'office_postgres\n' })
    expect(install('--accept-loss')).to.deep.include({
      status: 0,
      done: [LOAD, 'upgrade --accept-loss bothy:2', ...START],
    })
  })

  it('starts nothing after an upgrade that went back', () => {
    has({ images: 'old\n', volumes: 'office_postgres\n', upgradeCode: 1 })
    expect(install()).to.deep.include({ status: 1, done: [LOAD, 'upgrade bothy:2'] })
    expect(existsSync(join(bundle, '.installed'))).to.equal(false)
  })

  it('refuses to start on the volumes of another one that does not run, before it loads an image', () => {
    has({ volumes: 'office_postgres\n' })
    const { status, stderr, done } = install()
    expect({ status, done }).to.deep.equal({ status: 1, done: [] })
    expect(stderr).to.include('In its former folder: docker compose up -d --wait.')
    expect(variables()).to.equal('COMPOSE_PROJECT_NAME=office\nPORT=80\n')
  })

  it('refuses a changed file', () => {
    appendFileSync(join(bundle, 'infra/upgrade.sh'), '# changed\n')
    expect(install()).to.deep.include({ status: 1, done: [] })
  })
})
