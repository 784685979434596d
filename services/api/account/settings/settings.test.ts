import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import sharp from 'sharp'
import type { SettingsPayload } from '#shared/domain/payloads/account.ts'
import type { ProfilePayload } from '#shared/domain/payloads/people.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { Person as NewPerson } from '#shared/test-kit/person.ts'
import { settingsRead } from '#shared/test-kit/quiet.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

let world: World
let ada: Person
let bob: Person
before(async () => {
  world = await newWorld({ apis: 2 })
  ;({ ada, bob } = world)
})
after(() => world.end())

describe('settings (interface 4.5, 7)', () => {
  it('are empty at first', async () => {
    expect(await world.cleo.get('/settings')).to.deep.equal({ name_color: null, avatar_file: null })
  })

  it('accept a colour as a form field, in any case, and show it to everybody as sent', async () => {
    expect((await ada.postForm('/settings', { name_color: '#A1B2C3' })).status).to.equal(204)
    expect(await ada.get('/settings')).to.deep.equal({ name_color: '#A1B2C3', avatar_file: null })
    expect(await bob.get('/user_colors')).to.deep.equal({ ada: '#A1B2C3' })
  })

  it('accept JSON and multipart fields too', async () => {
    expect((await ada.postJson('/settings', { name_color: '#000000' })).status).to.equal(204)
    expect(await colorOf(ada)).to.equal('#000000')
    const body = new FormData()
    body.set('name_color', '#ffffff')
    expect((await ada.fetch('/settings', { method: 'POST', body })).status).to.equal(204)
    expect(await colorOf(ada)).to.equal('#ffffff')
  })

  it('return to the default colour with an empty string or null', async () => {
    for (const reset of [
      () => ada.postForm('/settings', { name_color: '' }),
      () => ada.postJson('/settings', { name_color: null }),
      () => ada.postJson('/settings', { name_color: '' }),
    ]) {
      await ada.postForm('/settings', { name_color: '#123456' })
      expect((await reset()).status).to.equal(204)
      expect(await colorOf(ada)).to.equal(null)
      expect(await bob.get('/user_colors')).to.deep.equal({})
    }
  })

  it('keep fields that are not sent', async () => {
    await ada.postForm('/settings', { name_color: '#123456' })
    expect((await ada.postForm('/settings')).status).to.equal(204)
    expect((await ada.postJson('/settings', {})).status).to.equal(204)
    expect((await ada.fetch('/settings', { method: 'POST' })).status).to.equal(204)
    expect(await colorOf(ada)).to.equal('#123456')
  })

  it('refuse an invalid colour and keep the current one', async () => {
    await ada.postForm('/settings', { name_color: '#123456' })
    const wrong = [
      'red',
      '#12345',
      '#1234567',
      '123456',
      '#12345g',
      ' #123456',
      '#123456\n',
      '#12\x256',
      '＃123456',
    ]
    for (const name_color of wrong) {
      expect((await ada.postForm('/settings', { name_color })).status, name_color).to.equal(400)
      expect((await ada.postJson('/settings', { name_color })).status, name_color).to.equal(400)
    }
    for (const body of ['{"name_color":7}', '{"name_color":{}}', '{"name_color":["#123456"]}', '[]', '{']) {
      expect((await ada.postJson('/settings', body)).status, body).to.equal(400)
    }
    expect(
      (await ada.fetch('/settings', { method: 'POST', body: twice('name_color', '#000000') })).status,
    ).to.equal(400)
    expect(await colorOf(ada)).to.equal('#123456')
  })

  it('list the colours of names that are JavaScript properties, such as __proto__', async () => {
    const proto = await new NewPerson('__proto__', ada.at).signUp()
    await proto.postForm('/settings', { name_color: '#00ff00' })
    expect(await (await bob.fetch('/user_colors')).text()).to.include('"__proto__":"#00ff00"')
  })
})

describe('avatars (interface 4.5, 7, 8)', () => {
  const image = (width = 300, height = 200) =>
    sharp({ create: { width, height, channels: 3, background: 'teal' } })

  it('are none at first', async () => {
    expect(await ada.get('/user_avatars')).to.deep.equal([])
    expect((await ada.fetch('/avatar/ada')).status).to.equal(404)
    expect((await ada.fetch('/avatar/nobody-here')).status).to.equal(404)
  })

  it('are a JPEG of at most 256 pixels for every upload, visible to all signed-in users', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
      const bytes = await image().toFormat(format).toBuffer()
      expect((await upload(ada, bytes, `me.${format}`)).status, format).to.equal(204)
      const response = await bob.fetch('/avatar/ada')
      expect([response.status, response.headers.get('Content-Type')]).to.deep.equal([200, 'image/jpeg'])
      const found = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
      expect([found.format, found.width, found.height], format).to.deep.equal(['jpeg', 256, 171])
    }
    expect(await bob.get('/user_avatars')).to.deep.equal(['ada'])
    expect((await fetch(`${ada.at}/avatar/ada`, { redirect: 'manual' })).status).to.equal(302)
    const small = await image(128, 128).jpeg().toBuffer()
    await upload(ada, small, 'ME.JPG')
    const kept = await sharp(Buffer.from(await (await bob.fetch('/avatar/ADA')).arrayBuffer())).metadata()
    expect([kept.width, kept.height], 'never enlarged').to.deep.equal([128, 128])
  })

  it('keep the bytes of a small JPEG, except its metadata', async () => {
    const small = await image(128, 128).jpeg({ quality: 93 }).toBuffer()
    const served = async () => Buffer.from(await (await bob.fetch('/avatar/ada')).arrayBuffer())
    expect((await upload(ada, small, 'me.jpg')).status).to.equal(204)
    expect((await served()).equals(small)).to.equal(true)
    const told = await sharp(small)
      .keepMetadata()
      .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
      .toBuffer()
    await upload(ada, told, 'me.jpg')
    const kept = await served()
    expect((await sharp(kept).metadata()).exif).to.equal(undefined)
    expect(kept.length).to.be.lessThan(told.length)
    expect((await upload(ada, small.subarray(0, small.length - 200), 'me.jpg')).status).to.equal(400)
  })

  it('are upright and contain no location', async () => {
    const bytes = await image(100, 50)
      .withExif({ IFD0: { Copyright: 'ada' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(bytes).metadata()).orientation).to.equal(6)
    await upload(ada, bytes, 'me.jpg')
    const served = Buffer.from(await (await bob.fetch('/avatar/ada')).arrayBuffer())
    const found = await sharp(served).metadata()
    expect([found.width, found.height, found.exif, found.orientation]).to.deep.equal([
      50,
      100,
      undefined,
      undefined,
    ])
  })

  it('are revalidated each time and sent only after a change', async () => {
    await upload(ada, await image().png().toBuffer(), 'me.png')
    const first = await bob.fetch('/avatar/ada')
    expect(first.headers.get('Cache-Control')).to.equal('private, no-cache')
    expect(first.headers.get('Content-Security-Policy')).to.equal("default-src 'none'; sandbox")
    const etag = first.headers.get('ETag')!
    const again = await bob.fetch('/avatar/ada', { headers: { 'If-None-Match': etag } })
    expect([again.status, await again.text(), again.headers.get('ETag')]).to.deep.equal([304, '', etag])
    const one = await bob.fetch('/avatar/ada', { headers: { 'If-None-Match': `"x", W/${etag}` } })
    expect(one.status).to.equal(304)
    const part = await bob.fetch('/avatar/ada', { headers: { Range: 'bytes=0-3' } })
    expect([part.status, Buffer.from(await part.arrayBuffer())]).to.deep.equal([
      206,
      Buffer.from(await first.arrayBuffer()).subarray(0, 4),
    ])

    await upload(ada, await image().png().toBuffer(), 'me.png')
    const changed = await bob.fetch('/avatar/ada', { headers: { 'If-None-Match': etag } })
    expect(changed.status).to.equal(200)
    const head = await bob.fetch('/avatar/ada', { method: 'HEAD' })
    expect([head.status, Number(head.headers.get('Content-Length'))]).to.deep.equal([
      200,
      (await changed.arrayBuffer()).byteLength,
    ])
  })

  it('replace each other, and the previous file is deleted', async () => {
    const bytes = await image().png().toBuffer()
    await upload(ada, bytes, 'me.png')
    const before = await avatarFile(ada)
    await upload(ada, bytes, 'me.png')
    expect(await avatarFile(ada)).to.not.equal(before)
    expect(avatarFiles()).to.deep.equal([await avatarFile(ada)])
  })

  it('leave one file after many concurrent uploads', async () => {
    const bytes = await image().png().toBuffer()
    const tabs = world.api.map(({ url }) => Object.assign(new NewPerson('ada', url), { cookie: ada.cookie }))
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => upload(tabs[i % 2]!, bytes, 'me.png')),
    )
    expect(answers.map(answer => answer.status)).to.deep.equal(Array(12).fill(204))
    expect(avatarFiles()).to.deep.equal([await avatarFile(ada)])
  })

  it('are deleted with their file', async () => {
    await upload(ada, await image().png().toBuffer(), 'me.png')
    expect((await ada.fetch('/avatar', { method: 'DELETE' })).status).to.equal(204)
    expect((await bob.fetch('/avatar/ada')).status).to.equal(404)
    expect(await ada.get('/user_avatars')).to.deep.equal([])
    expect(await avatarFile(ada)).to.equal(null)
    expect(avatarFiles()).to.deep.equal([])
    expect((await ada.fetch('/avatar', { method: 'DELETE' })).status, 'also when there is none').to.equal(204)
  })

  it('are not served by /files', async () => {
    await upload(ada, await image().png().toBuffer(), 'me.png')
    expect((await ada.fetch(`/files/${await avatarFile(ada)}`)).status).to.equal(404)
  })

  it('are refused without a file, or when the file is no image', async () => {
    const before = await avatarFile(ada)
    const png = await image().png().toBuffer()
    const cut = (await image(2_000, 2_000).png().toBuffer()).subarray(0, 5_000)
    const refused: [name: string, answer: Promise<Response>][] = [
      ['nothing', ada.fetch('/avatar', { method: 'POST' })],
      ['no file', ada.fetch('/avatar', { method: 'POST', body: new FormData() })],
      ['a form', ada.postForm('/avatar', { avatar: 'x' })],
      ['JSON', ada.postJson('/avatar', { avatar: 'x' })],
      ['another field', upload(ada, png, 'me.png', 'files')],
      ['another extension', upload(ada, png, 'me.svg')],
      ['no extension', upload(ada, png, 'me')],
      ['text', upload(ada, Buffer.from('hello'), 'me.png')],
      ['empty', upload(ada, Buffer.alloc(0), 'me.png')],
      ['svg', upload(ada, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'me.png')],
      ['another format', upload(ada, png, 'me.jpg')],
      ['cut off', upload(ada, cut, 'me.png')],
    ]
    for (const [name, answer] of refused) {
      const response = await answer
      expect([response.status, (await response.text()).length > 0], name).to.deep.equal([400, true])
    }
    expect(await avatarFile(ada)).to.equal(before)
    expect(avatarFiles()).to.deep.equal([before])
  })

  it('have their own limit, refused with a sentence', async () => {
    world.backing.settings({ rate_limit_enabled: false, max_avatar_size_mb: 0.01 })
    await settingsRead()
    const noise = await sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: 'teal',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer()
    const answer = await upload(bob, noise, 'me.png')
    expect([answer.status, await answer.text()]).to.deep.equal([413, 'file too large (max 0.01 MB)'])
    expect((await bob.fetch('/avatar/bob')).status).to.equal(404)
    world.backing.settings({ rate_limits: { manage: [60, 60] } })
    await settingsRead()
    expect((await upload(bob, noise, 'me.png')).status).to.equal(204)
    const tooMany = await upload(bob, noise, 'me.png')
    expect([tooMany.status, Number(tooMany.headers.get('Retry-After')) > 0]).to.deep.equal([429, true])
    world.backing.settings({ rate_limit_enabled: false })
    await settingsRead()
  })
})

describe('a profile (interface 4.5)', () => {
  it('returns the public fields of a user', async () => {
    const dora = await new NewPerson('Dora', ada.at).signUp()
    const profile = await bob.get<ProfilePayload>('/profile/Dora')
    expect(profile).to.deep.include({ username: 'Dora', name_color: null, avatar: false, state: 'offline' })
    expect(profile.created_ts).to.be.closeTo(Date.now() / 1000, 30)

    await dora.postForm('/settings', { name_color: '#00ffff' })
    await upload(
      dora,
      await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
      'x.png',
    )
    await dora.postJson('/presence', { state: 'active' })
    const later = await bob.get<ProfilePayload>('/profile/dora')
    expect(later).to.include({ username: 'Dora', name_color: '#00ffff', avatar: true, state: 'active' })
    await dora.postJson('/presence/override', { override: 'offline' })
    expect(await bob.get('/profile/Dora')).to.include({ state: 'offline' })
    expect(Object.keys(profile).sort()).to.deep.equal([
      'avatar',
      'created_ts',
      'name_color',
      'state',
      'username',
    ])
  })

  it('is not found for an unknown name', async () => {
    for (const name of ['nobody-here', 'system', 'Deleted%20User', '%00', '__proto_', 'x'.repeat(99)]) {
      const response = await ada.fetch(`/profile/${name}`)
      expect([response.status, await response.text()], name).to.deep.equal([404, 'not found'])
    }
  })
})

const colorOf = async (person: Person) => (await person.get<SettingsPayload>('/settings')).name_color
const avatarFile = async (person: Person) => (await person.get<SettingsPayload>('/settings')).avatar_file
const twice = (name: string, value: string) =>
  new URLSearchParams([
    [name, value],
    [name, value],
  ])

function upload(person: Person, bytes: Uint8Array, name: string, field = 'avatar') {
  const body = new FormData()
  body.set(field, new File([new Uint8Array(bytes)], name))
  return person.fetch('/avatar', { method: 'POST', body })
}

/** Files in the store, except uploads in progress. */
function avatarFiles() {
  return readdirSync(fileURLToPath(world.backing.env.FILES_URL)).filter(
    name => name !== 'incoming' && name !== 'uploads',
  )
}
