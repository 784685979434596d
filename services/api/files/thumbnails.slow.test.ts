import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import sharp from 'sharp'
import { imageSizeOf, isAnimated } from '#shared/domain/uploads.ts'
import { askForThumbnails } from '#shared/jobs/thumbnail-job.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { animatedPng } from '#shared/test-kit/animated-png.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { NetworkLink } from '#shared/test-kit/network-link.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { longestOf, timeOf } from '#shared/test-kit/reference.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

let world: World
let worker: RunningService
let folder: string
let redis: Redis

before(async () => {
  world = await newWorld({ apis: 2 })
  folder = fileURLToPath(world.backing.env.FILES_URL)
  redis = new Redis(world.backing.env.REDIS_URL)
  worker = await startService('previews-pictures', world.backing.env)
})
after(async () => {
  await worker?.stop()
  redis?.disconnect()
  await world?.end()
})

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'teal',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })

async function moving(width = 500, height = 250, frames = 3): Promise<Buffer> {
  const pictures = await Promise.all(
    Array.from({ length: frames }, (_, i) =>
      sharp({ create: { width, height, channels: 3, background: { r: (i * 60) % 256, g: 90, b: 120 } } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(pictures, { join: { animated: true } })
    .gif({ delay: pictures.map(() => 120) })
    .toBuffer()
}

/** Sends one image; returns its stored name. */
async function sendImage(
  person: Person,
  name: string,
  bytes: Buffer,
  channel = 'dm:ada:bob',
): Promise<string> {
  const response = await person.sendImages(channel, [{ name, bytes }])
  expect(response.status, await response.text()).to.equal(200)
  return (await person.messages(channel)).at(-1)!.filename!
}

const thumbnailsOf = (name: string) => readdirSync(folder).filter(file => file.startsWith(`${name}.`))

async function seen(person: Person, path: string) {
  const response = await person.fetch(path)
  const bytes = Buffer.from(await response.arrayBuffer())
  const found = await sharp(bytes, { pages: -1 }).metadata()
  return { response, bytes, found }
}

/** Requests it repeatedly, as a returning browser does, until the thumbnail exists. */
async function thumbnail(person: Person, name: string, query: string) {
  return eventually(async () => {
    const answer = await seen(person, `/files/${name}?${query}`)
    expect(answer.response.headers.get('ETag')).to.match(/\.webp"$/)
    return answer
  }, 20_000)
}

describe('thumbnails (interface 4.4)', () => {
  it('are WebP with a bounded longer side, made before the first request', async () => {
    const name = await sendImage(world.ada, 'wide.jpg', await noise(1600, 900).jpeg().toBuffer())
    await eventually(() =>
      expect(thumbnailsOf(name)).to.have.members([`${name}.360.webp`, `${name}.720.webp`]),
    )
    for (const [size, height] of [
      [360, 203],
      [720, 405],
    ]) {
      const { response, found } = await seen(world.bob, `/files/${name}?size=${size}`)
      expect([found.format, found.width, found.height]).to.deep.equal(['webp', size, height])
      expect(response.headers.get('Content-Type')).to.equal('image/webp')
      expect(response.headers.get('Cache-Control')).to.match(/private.*immutable/)
      expect(response.headers.get('Content-Security-Policy')).to.equal("default-src 'none'; sandbox")
      expect(response.headers.get('X-Content-Type-Options')).to.equal('nosniff')
    }
    const tall = await sendImage(world.ada, 'tall.png', await noise(300, 1000).png().toBuffer())
    const { found } = await thumbnail(world.bob, tall, 'size=360')
    expect([found.width, found.height]).to.deep.equal([108, 360])
  })

  it('are never larger than the image: a small one is served unchanged', async () => {
    const bytes = await noise(700, 350).png().toBuffer()
    const name = await sendImage(world.ada, 'small.png', bytes)
    const { response, found } = await seen(world.bob, `/files/${name}?size=720`)
    expect([response.headers.get('ETag'), found.format, found.width]).to.deep.equal([`"${name}"`, 'png', 700])
    await thumbnail(world.bob, name, 'size=360')
    expect(thumbnailsOf(name)).to.deep.equal([`${name}.360.webp`])
  })

  it('are upright for every orientation', async () => {
    for (let orientation = 1; orientation <= 8; orientation++) {
      // Red above, blue below, as displayed.
      const shown = sharp(
        Buffer.concat([
          Buffer.alloc(600 * 200 * 3, '\xff\0\0', 'latin1'),
          Buffer.alloc(600 * 200 * 3, '\0\0\xff', 'latin1'),
        ]),
        { raw: { width: 600, height: 400, channels: 3 } },
      )
      const stored = await layAs(await shown.png().toBuffer(), orientation)
      const name = await sendImage(world.ada, 'turned.jpg', stored)
      expect(imageSizeOf(name), `orientation ${orientation}`).to.deep.equal({ width: 600, height: 400 })
      const { bytes, found } = await thumbnail(world.bob, name, 'size=360')
      expect([found.width, found.height, found.orientation]).to.deep.equal([360, 240, undefined])
      const top = await sharp(bytes)
        .extract({ left: 100, top: 20, width: 1, height: 1 })
        .removeAlpha()
        .raw()
        .toBuffer()
      expect([top[0]! > 200, top[2]! < 60], `orientation ${orientation}`).to.deep.equal([true, true])
    }
  })

  it('are animated when the image is, unless a still is requested', async () => {
    for (const format of ['gif', 'webp'] as const) {
      const bytes =
        format === 'gif'
          ? await moving()
          : await sharp(await moving(), { pages: -1 })
              .webp()
              .toBuffer()
      const name = await sendImage(world.ada, `moving.${format}`, bytes)
      expect([imageSizeOf(name), isAnimated(name)]).to.deep.equal([{ width: 500, height: 250 }, true])
      const alive = await thumbnail(world.bob, name, 'size=360')
      expect([alive.found.pages, alive.found.width, alive.found.pageHeight]).to.deep.equal([3, 360, 180])
      expect(alive.found.delay).to.deep.equal([120, 120, 120])
      const still = await thumbnail(world.bob, name, 'size=360&still=1')
      expect([still.found.pages ?? 1, still.found.width, still.found.height]).to.deep.equal([1, 360, 180])
      const whole = await thumbnail(world.bob, name, 'size=720&still=1')
      expect([whole.found.pages ?? 1, whole.found.width]).to.deep.equal([1, 500])
      const original = await seen(world.bob, `/files/${name}?size=720`)
      expect([original.found.format, original.found.pages]).to.deep.equal([format, 3])
    }
  })

  it('of an animated PNG are the original, and a still of its first frame', async () => {
    const moves = animatedPng(await noise(900, 450).png().toBuffer(), 4)
    const name = await sendImage(world.ada, 'moving.png', moves)
    expect([imageSizeOf(name), isAnimated(name)]).to.deep.equal([{ width: 900, height: 450 }, true])
    const still = await thumbnail(world.bob, name, 'size=360&still=1')
    expect([still.found.format, still.found.width, still.found.pages ?? 1]).to.deep.equal(['webp', 360, 1])
    await eventually(async () => {
      const { response, bytes } = await seen(world.bob, `/files/${name}?size=360`)
      expect(response.headers.get('Cache-Control')).to.match(/immutable/)
      expect(bytes.equals(moves), 'as it was sent').to.equal(true)
    }, 60_000)
  })

  it('are made of photos of 108 megapixels, of four at once, with less than 700 MB', async () => {
    // A process of its own: its peak is that of these images alone.
    await worker.stop()
    worker = await startService('previews-pictures', world.backing.env)
    const photo = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: 'teal' }, limitInputPixels: false })
    const whole = await photo(12_000, 9_000).jpeg({ quality: 60 }).toBuffer()
    const progressive = await photo(12_000, 9_000).jpeg({ quality: 60, progressive: true }).toBuffer()
    const long = await photo(1_080, 30_000).png().toBuffer()
    const images = [
      { name: 'photo.jpg', bytes: whole },
      { name: 'edited.jpg', bytes: progressive },
      { name: 'edited too.jpg', bytes: progressive },
      { name: 'long.png', bytes: long },
    ]
    expect((await world.ada.sendImages('dm:ada:bob', images)).status).to.equal(200)
    const names = (await world.ada.messages('dm:ada:bob')).slice(-4).map(row => row.filename!)
    await eventually(() => {
      for (const name of names) expect(thumbnailsOf(name)).to.have.length(2)
    }, 120_000)
    const sizes = [360, 720].flatMap(size => names.map(name => join(folder, `${name}.${size}.webp`)))
    const found = await Promise.all(sizes.map(path => sharp(path).metadata()))
    expect(found.map(({ width, height }) => [width, height])).to.deep.equal([
      ...Array(3).fill([360, 270]),
      [13, 360],
      ...Array(3).fill([720, 540]),
      [26, 720],
    ])
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8'))![1]) / 1024
    if (process.env['SHOW_MEASURES']) console.log(`peak of the process: ${peak} MiB`)
    expect(peak).to.be.below(700)
  }).timeout(240_000)

  it('are the animated original when it is too large to convert', async () => {
    const name = await sendImage(world.ada, 'film.gif', await moving(1000, 1000, 31))
    await thumbnail(world.bob, name, 'size=360&still=1')
    await eventually(async () => {
      const { response, found } = await seen(world.bob, `/files/${name}?size=360`)
      expect([response.headers.get('ETag'), found.pages]).to.deep.equal([`"${name}"`, 31])
      expect(response.headers.get('Cache-Control')).to.equal('private, max-age=86400, immutable')
    }, 60_000)
  })

  it('are made once for many concurrent requests', async () => {
    const name = await sendImage(world.ada, 'asked.jpg', await noise(1200, 900).jpeg().toBuffer())
    await thumbnail(world.bob, name, 'size=360')
    await thumbnail(world.bob, name, 'size=720')
    for (const file of thumbnailsOf(name)) writeFileSync(join(folder, file), 'made before')
    await eventually(async () => expect((await waitingJobs()).length).to.equal(0))
    // Queued again although they exist: they are not made again.
    const queued = await Promise.all(Array.from({ length: 20 }, () => seenBytes(world.ada, name)))
    expect(new Set(queued)).to.deep.equal(new Set(['made before']))

    const other = await sendImage(world.ada, 'asked.jpg', await noise(1200, 900).jpeg().toBuffer(), 'general')
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        seen([world.ada, world.bob, world.cleo, world.mallory][i % 4]!, `/files/${other}?size=360`),
      ),
    )
    for (const { response, found } of all) expect([response.status, found.width]).to.deep.equal([200, 360])
    expect(new Set(all.map(one => one.bytes.toString('base64')))).to.have.length(1)
  })

  it('are not made of undecodable images: the original is served, without another attempt', async () => {
    const whole = await noise(1000, 800).png().toBuffer()
    // The file's container and header are valid, its content is not.
    const damaged = Buffer.from(whole)
    damaged.fill(0x55, 2_000, 2_100)
    const name = await sendImage(world.ada, 'damaged.png', damaged)
    await eventually(async () => {
      const response = await world.bob.fetch(`/files/${name}?size=360`)
      expect(Buffer.from(await response.arrayBuffer()).equals(damaged)).to.equal(true)
      expect(response.headers.get('Cache-Control')).to.match(/immutable/)
    }, 60_000)
    const read = async (query: string) => (await world.bob.fetch(`/files/${name}${query}`)).arrayBuffer()
    const whole360 = await timeOf(() => read('?size=360'))
    expect(whole360).to.be.below(1_000 + 3 * (await longestOf(() => read(''))))
    expect(thumbnailsOf(name)).to.deep.equal([])
  })

  it('are deleted with their message', async () => {
    const name = await sendImage(world.ada, 'gone.gif', await moving(800, 400))
    await eventually(() => expect(thumbnailsOf(name)).to.have.length(4), 60_000)
    const { id } = (await world.ada.messages('dm:ada:bob')).at(-1)!
    await world.ada.delete(id)
    expect(readdirSync(folder).filter(file => file.startsWith(name))).to.deep.equal([])
    for (const query of ['', '?size=360', '?size=720&still=1'])
      expect((await world.bob.fetch(`/files/${name}${query}`)).status).to.equal(404)
  })

  it('are deleted with an account and its messages', async () => {
    const kim = await new Person('kim', world.ada.at).signUp()
    const name = await sendImage(kim, 'kim.png', await noise(800, 400).png().toBuffer(), 'general')
    await eventually(() => expect(thumbnailsOf(name)).to.have.length(2))
    const answer = await kim.postJson('/delete_account', { type: 'hard', password: PASSWORD })
    expect(answer.status, await answer.text()).to.equal(200)
    expect((await world.ada.fetch(`/files/${name}?size=360`)).status).to.equal(404)
    const janitor = await startService('janitor', world.backing.env)
    try {
      const left = () => readdirSync(folder).filter(file => file.startsWith(name))
      await eventually(() => expect(left()).to.deep.equal([]), 60_000)
    } finally {
      await janitor.stop()
    }
  })

  it('are for readers of the channel, and have no separate address', async () => {
    const channel = await world.privateChannel('hut', [world.ada, world.bob])
    const name = await sendImage(world.ada, 'hut.png', await noise(800, 400).png().toBuffer(), channel)
    await thumbnail(world.bob, name, 'size=360')
    expect((await world.mallory.fetch(`/files/${name}?size=360`)).status).to.equal(404)
    expect((await world.bob.fetch(`/files/${name}.360.webp`)).status).to.equal(404)
    const dora = await world.lateJoiner(channel, world.ada)
    expect((await dora.fetch(`/files/${name}?size=360`)).status, 'from before she came').to.equal(404)
    const later = await sendImage(world.ada, 'later.png', await noise(800, 400).png().toBuffer(), channel)
    await thumbnail(dora, later, 'size=360')
    await world.bob.leave(channel)
    expect((await world.bob.fetch(`/files/${later}?size=360`)).status, 'after he left').to.equal(404)
  })

  it('are not made for other sizes, which count as missing', async () => {
    const bytes = await noise(800, 400).png().toBuffer()
    const name = await sendImage(world.ada, 'any.png', bytes)
    for (const query of [
      'size=',
      'size=361',
      'size=0',
      'size=x',
      'size=360&size=720',
      'size[]=360',
      'still=1',
      'size=1e9',
    ]) {
      const { response, found } = await seen(world.bob, `/files/${name}?${query}`)
      expect([response.status, found.width, found.format], query).to.deep.equal([200, 800, 'png'])
    }
  })

  it('are made of images whose names contain no size', async () => {
    const old = `${'0123456789abcdef'.repeat(2)}.jpg`
    writeFileSync(join(folder, old), await noise(640, 480).jpeg().toBuffer())
    const renamed = await sendImage(world.ada, 'x.png', await noise(8, 8).png().toBuffer())
    const db = new pg.Client({ connectionString: world.backing.env.DATABASE_URL })
    await db.connect()
    await db.query('update messages set filename = $1 where filename = $2', [old, renamed])
    await db.end()
    const { found } = await thumbnail(world.bob, old, 'size=360')
    expect([found.width, found.height]).to.deep.equal([360, 270])
    const { response } = await seen(world.bob, `/files/${old}?size=720`)
    expect(response.headers.get('ETag'), 'it fits').to.equal(`"${old}"`)
  })

  describe('without a worker', () => {
    let name: string
    let bytes: Buffer
    before(async () => {
      await worker.kill()
      bytes = await noise(1000, 500).jpeg().toBuffer()
      name = await sendImage(world.ada, 'alone.jpg', bytes, 'general')
    })

    it('the original is served in time, and not cached by the browser', async () => {
      const usual = await longestOf(() => seen(world.bob, `/files/${name}`))
      const took = await timeOf(async () => {
        const { response, found } = await seen(world.bob, `/files/${name}?size=360`)
        expect([response.status, found.width]).to.deep.equal([200, 1000])
        expect(response.headers.get('Cache-Control')).to.equal('no-store')
      })
      expect(took).to.be.below(3_000 + 3 * usual)
    })

    it('later readers do not wait for it again', async () => {
      const ten = (query: (at: number) => string) =>
        timeOf(async () => {
          for (let i = 0; i < 10; i++) await seen(world.bob, `/files/${name}${query(i)}`)
        })
      const usual = await ten(() => '')
      expect(await ten(i => `?size=${i % 2 ? 360 : 720}`)).to.be.below(1_500 + 3 * usual)
    })

    it('sends succeed, and the next worker makes the thumbnails requested meanwhile', async () => {
      const next = await sendImage(world.ada, 'next.jpg', bytes, 'general')
      expect(existsSync(join(folder, `${next}.360.webp`))).to.equal(false)
      worker = await startService('previews-pictures', world.backing.env)
      for (const image of [name, next]) {
        await eventually(() => expect(thumbnailsOf(image)).to.have.length(2), 60_000)
        const { found } = await seen(world.bob, `/files/${image}?size=360`)
        expect(found.width).to.equal(360)
      }
    })

    it('one user has at most a hundred images queued, so that images of others still are', async () => {
      await worker.stop()
      const picture = await noise(400, 200).jpeg().toBuffer()
      const keys = keysWith(world.backing.env.REDIS_PREFIX)
      const asked = keys.thumbnailsAskedBy('mallory')
      const known = await waitingJobs()
      const hers = async () => (await waitingJobs()).filter(image => !known.includes(image))
      // Simulates as many earlier sends (the worker finds them deleted), plus one already made.
      const before = Array.from({ length: 95 }, (_, i) => `${String(i).padStart(32, 'a')}.jpg`)
      await redis.del(asked)
      await askForThumbnails({ redis, keys }, before, 'mallory')
      await redis.sadd(asked, `${'b'.repeat(32)}.jpg`)
      const ten = Array.from({ length: 10 }, (_, i) => ({ name: `${i}.jpg`, bytes: picture }))
      await world.mallory.sendImages('general', ten)
      await eventually(async () => expect(await hers()).to.have.length(100))
      const beyond = (await world.mallory.messages('general')).at(-1)!.filename!

      const { response, found } = await seen(world.mallory, `/files/${beyond}?size=360`)
      expect([response.status, found.width]).to.deep.equal([200, 400])
      expect(response.headers.get('Cache-Control')).to.equal('no-store')
      expect(await hers()).to.have.length(100)
      const ofAda = await sendImage(world.ada, 'ada.jpg', picture, 'general')
      await eventually(async () => expect(await waitingJobs()).to.include(ofAda))
      worker = await startService('previews-pictures', world.backing.env)
      await eventually(() => expect(thumbnailsOf(ofAda)).to.have.length(1), 60_000)
      // She has room again.
      await thumbnail(world.mallory, beyond, 'size=360')
    }).timeout(180_000)

    it('a worker that lost Redis continues when it is back', async () => {
      await worker.stop()
      const link = await NetworkLink.to(world.backing.env.THUMBNAILS_REDIS_URL)
      worker = await startService('previews-pictures', {
        ...world.backing.env,
        THUMBNAILS_REDIS_URL: link.url,
        LOG_LEVEL: 'fatal',
      })
      const before = await sendImage(world.ada, 'before.jpg', bytes, 'general')
      await eventually(() => expect(thumbnailsOf(before)).to.have.length(2), 60_000)
      await link.cut()
      const meanwhile = await sendImage(world.ada, 'meanwhile.jpg', bytes, 'general')
      const { response } = await seen(world.bob, `/files/${meanwhile}?size=360`)
      expect([response.status, response.headers.get('Cache-Control')]).to.deep.equal([200, 'no-store'])
      await link.mend()
      await eventually(() => expect(thumbnailsOf(meanwhile)).to.have.length(2), 60_000)
      await worker.stop()
      await link.cut()
      worker = await startService('previews-pictures', world.backing.env)
    })

    it('a worker that is told to stop returns its current job to the queue', async () => {
      const name = await sendImage(world.ada, 'long.gif', await moving(1000, 1000, 15), 'general')
      const verdict = `${world.backing.env.REDIS_PREFIX}thumbnail:${name}.360.webp`
      await eventually(async () => expect(await redis.get(verdict)).to.equal('trying'), 60_000)
      expect(await worker.stop()).to.equal(0)
      expect(await waitingJobs()).to.deep.equal([name])
      // This picture is not recorded as having crashed a process.
      expect(await redis.exists(verdict)).to.equal(0)
      worker = await startService('previews-pictures', world.backing.env)
      // The last one: the animated ones may take too long on a busy machine.
      await eventually(() => expect(thumbnailsOf(name)).to.include(`${name}.720.still.webp`), 60_000)
    }).timeout(180_000)

    it('a worker stops within ten seconds, like every process', async () => {
      expect(await worker.stop()).to.equal(0)
    })
  })

  const waitingJobs = () => redis.lrange(`${world.backing.env.REDIS_PREFIX}queues:thumbnails:wait`, 0, -1)
  const seenBytes = async (person: Person, name: string) =>
    (await person.fetch(`/files/${name}?size=360`)).text()
})

/** The picture as stored by a camera of that orientation: displayed upright it is the given one. */
async function layAs(png: Buffer, orientation: number): Promise<Buffer> {
  // The inverse of each of the eight EXIF orientations.
  const image = sharp(png)
  const back = {
    1: () => image,
    2: () => image.flop(),
    3: () => image.rotate(180),
    4: () => image.flip(),
    5: () => image.rotate(270).flop(),
    6: () => image.rotate(270),
    7: () => image.rotate(90).flop(),
    8: () => image.rotate(90),
  }[orientation]!()
  const stored = await back.png().toBuffer()
  return sharp(stored).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()
}
