/** Demo data for the pictures of the client: nine people with colours and avatars, and a morning's messages. */
import pg from 'pg'
import sharp from 'sharp'
import { Person } from '#shared/test-kit/person.ts'
import type { Page } from '#shared/test-kit/site.ts'

export const VIEWER = 'maya'
export const CALLER = 'tomasz'
export const CHANNELS = ['general', 'engineering', 'field-ops', 'deploys', 'design', 'off-topic']

const PEOPLE: [name: string, color: string | undefined, face: string | undefined][] = [
  [
    VIEWER,
    undefined,
    face('#fbd9c0', '<circle cx=64 cy=64 r=44 fill=#f08a24 /><circle cx=64 cy=64 r=34 fill=#fbb45c />'),
  ],
  [
    CALLER,
    '#3b5bb5',
    face(
      '#f3b27a',
      '<path d="M0 88 40 48 72 84 96 60 128 92V128H0Z" fill=#7a3d52 /><circle cx=92 cy=34 r=14 fill=#fff1d0 />',
    ),
  ],
  [
    'li-wen',
    '#0b7285',
    face(
      '#cfe6f2',
      '<path d="M0 84q32-22 64 0t64 0v44H0Z" fill=#2b6ca3 /><circle cx=60 cy=44 r=16 fill=#e8553d />',
    ),
  ],
  [
    'ines-r',
    '#5c7d12',
    face(
      '#dfe8cf',
      '<path d="M64 112V20M64 50 40 34M64 50l24-16M64 76 36 58M64 76l28-18" stroke=#3d6b3a stroke-width=7 fill=none />',
    ),
  ],
  [
    'okonkwo',
    '#a04d12',
    face(
      '#1f2554',
      '<path d="M24 104a40 40 0 0 1 80 0" stroke=#f6b53f stroke-width=12 fill=none /><path d="M44 104a20 20 0 0 1 40 0" stroke=#e0623c stroke-width=12 fill=none />',
    ),
  ],
  ['sanna', '#b0305f', face('#fdebd8', '<path d="M28 30 50 52h28l22-22v44L64 108 28 74Z" fill=#e8762d />')],
  ['yusuf', undefined, undefined],
  [
    'hedda',
    '#5f4bb6',
    face('#16213a', '<circle cx=72 cy=56 r=30 fill=#d9e2f5 /><circle cx=84 cy=46 r=26 fill=#16213a />'),
  ],
  ['per', undefined, undefined],
]

function face(ground: string, drawing: string) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128"><rect width="128" height="128" fill="${ground}"/>${drawing}</svg>`
  return svg.replaceAll(/=([#\w]+)(?=[\s/>])/g, '="$1"')
}

const RIVER = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="600">
  <rect width="960" height="600" fill="#c6d7dc"/><path d="M0 240 220 120 430 230 640 90 960 240V330H0Z" fill="#8fa9ae"/>
  <path d="M0 280q120-30 240 0t240 0 240 0 240 0V360H0Z" fill="#46604f"/><rect y="330" width="960" height="270" fill="#5f8a94"/>
  <g stroke="#a9c4c9" stroke-width="4" opacity=".6"><path d="M40 390h200M320 430h260M620 380h240M120 500h300M560 520h280"/></g>
  <rect x="690" y="210" width="70" height="300" fill="#f7f7f2"/><g fill="#22302f"><path d="M690 230h36v16h-36zM690 280h36v16h-36zM690 330h36v16h-36zM690 380h36v16h-36zM690 430h36v16h-36z"/></g>
  <rect x="190" y="190" width="14" height="290" fill="#59666a"/><rect x="140" y="180" width="120" height="90" rx="8" fill="#eceee9"/><circle cx="200" cy="225" r="22" fill="#33484b"/>
</svg>`
const SCOPE = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="600"><rect width="960" height="600" fill="#0c1416"/>
  <g stroke="#1e2f33" stroke-width="2"><path d="M0 100h960M0 200h960M0 300h960M0 400h960M0 500h960M160 0v600M320 0v600M480 0v600M640 0v600M800 0v600"/></g>
  <path d="M20 380H160L180 160H460L475 380H560L580 160H940" fill="none" stroke="#f4c64e" stroke-width="6"/>
  <path d="M20 520Q180 510 240 470T470 460L500 520H580Q640 480 940 470" fill="none" stroke="#38b6c4" stroke-width="6"/></svg>`
const MAST = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><rect width="1200" height="630" fill="#dfe9e4"/>
  <path d="M0 480 300 380 620 470 900 360 1200 450V630H0Z" fill="#5d8a6e"/><path d="M600 90 520 560M600 90l80 470M560 330h80M545 420h110M575 230h50" stroke="#33484b" stroke-width="10"/>
  <path d="M660 110q50-50 0-100M700 130q90-80 0-160" fill="none" stroke="#e0623c" stroke-width="10"/></svg>`

const MODEM = [
  ...Array.from({ length: 42 }, (_, i) => (i === 0 ? 'use gauge::{board, log, modem};' : `// register ${i}`)),
  '    let wdt = board.watchdog(8_000);',
  '    loop {',
  '        match modem.attach(apn).await {   // cold attach: up to 12 s',
  '            Ok(link) => { wdt.feed(); return Ok(link) }',
  '            Err(e) => log::warn!("attach: {e}"),',
  '        }',
  '    }',
  ...Array.from({ length: 165 }, (_, i) => `// page ${i}`),
].join('\n')

/** The pages behind the links of the demo messages. */
export const pages = async (): Promise<Record<string, Page>> => ({
  '/gauge-fw/src/uplink/modem.rs': { type: 'text/plain', body: MODEM },
  '/notes/masts': {
    body: `<title>A mast at every weir</title><meta name=description content="How the north bank got its uplink back: a higher antenna, a shorter cable, and a watchdog that waits for the attach.">
      <meta property=og:site_name content="Osier field notes"><meta property=og:image content=/mast.png>`,
  },
  '/mast.png': { type: 'image/png', body: await png(MAST) },
})

const png = (svg: string) => sharp(Buffer.from(svg)).png().toBuffer()

/** Creates everything over HTTP as people would; then spreads the timestamps over a morning. */
export async function seedOffice(
  url: string,
  databaseUrl: string,
  site: string,
): Promise<Map<string, Person>> {
  const people = new Map<string, Person>()
  for (const [name, color, picture] of PEOPLE) {
    const person = await new Person(name, url).signUp()
    people.set(name, person)
    if (color) await person.postJson('/settings', { name_color: color })
    if (!picture) continue
    const body = new FormData()
    const bytes = await sharp(Buffer.from(picture)).jpeg().toBuffer()
    body.set('avatar', new File([new Uint8Array(bytes)], 'me.jpg', { type: 'image/jpeg' }))
    await person.fetch('/avatar', { method: 'POST', body })
  }
  const by = (name: string) => people.get(name)!
  const [maya, tomasz, wen, ines, okonkwo] = [
    by(VIEWER),
    by(CALLER),
    by('li-wen'),
    by('ines-r'),
    by('okonkwo'),
  ]
  const river = { name: 'weir.png', bytes: await png(RIVER) }
  const scope = { name: 'scope.png', bytes: await png(SCOPE) }
  /** Age of messages in minutes, by id. */
  const ago = new Map<number, number>()
  const said = async (minutes: number, person: Person, channel: string, text: string, more = {}) => {
    const id = await person.send(channel, text, more)
    ago.set(id, minutes)
    return id
  }

  const eng = 'engineering'
  await said(
    1510,
    by('hedda'),
    eng,
    'Rev C boards are in. Twelve of them, all with the **new antenna connector**.',
  )
  await said(
    1508,
    maya,
    eng,
    'I can take four to the bench:\n- two for the soak\n- one for the cold chamber\n- one to break',
  )
  await said(1490, okonkwo, eng, `Notes from the north bank: ${site}/notes/masts`)
  await said(1486, by('sanna'), eng, '> a watchdog that waits\nThat one line would have saved us a week.')
  await said(
    190,
    tomasz,
    eng,
    'Overnight soak: 3 of 14 north bank units dropped off the uplink at 03:00, then came back.',
  )
  const reset = await said(
    189,
    tomasz,
    eng,
    'All three say `wdt.reason = MODEM_TIMEOUT`, so we are resetting the modem mid-attach.',
  )
  const answer = await said(
    180,
    wen,
    eng,
    `Yes. The watchdog is shorter than a cold attach, and we only feed it once the link is up: ${site}/gauge-fw/src/uplink/modem.rs#L45-L46`,
    { reply_to_id: String(reset) },
  )
  for (const person of [maya, tomasz, ines]) await person.react(answer, 'dart')
  for (const person of [okonkwo, by('sanna')]) await person.react(answer, 'eyes')
  const sent = await ines.sendImages(
    eng,
    [river, scope],
    'Morning from the weir. Staff gauge and unit 07 agree to within 4 mm.',
  )
  const morning = Number(sent.headers.get('X-Message-Id'))
  ago.set(morning, 168)
  for (const person of [wen, tomasz, okonkwo]) await person.react(morning, 'water_wave')
  await maya.react(morning, 'heart')

  await said(300, by('yusuf'), 'general', 'Lunch is at **half past twelve** today, the bread van is late.')
  await said(290, maya, 'general', 'Thank you, yusuf.')
  await said(60, by('per'), 'off-topic', 'Who left a kayak in the stairwell?')
  await Promise.all(CHANNELS.map(channel => maya.markRead(channel)))

  await said(
    155,
    okonkwo,
    eng,
    `@${VIEWER} can you sign off rc2 before 14:00? I’d like an hour on the bench first.`,
  )
  const rig = await said(150, tomasz, eng, 'Bench rig is free from 11:20.')
  await tomasz.edit(rig, 'Bench rig is free from 11:30.')
  for (let i = 7; i <= 12; i++)
    await said(140 - i, by('sanna'), 'field-ops', `Unit ${i} is mounted and answers.`)
  for (const tag of ['rc1 → staging', 'rc1 → bench', 'rc2 → staging'])
    await said(100, by('per'), 'deploys', tag)

  const created = await maya.postJson('/private_channels/create', {
    name: 'Rev C board',
    members: [CALLER, 'hedda', 'okonkwo'],
  })
  const { id } = (await created.json()) as { id: number }
  await said(80, by('hedda'), `private:${id}`, 'The connector holds. No creep after 200 cycles.')
  await said(70, by('hedda'), `private:${id}`, `@${VIEWER} shall we order fifty?`)
  await maya.postJson('/private_channels/create', { name: 'Hiring panel', members: ['sanna'] })
  await said(66, ines, 'dm:ines-r:maya', 'The boat is booked for Thursday.')
  await said(65, maya, 'dm:ines-r:maya', 'Lovely. I bring the long cable.')
  await said(64, wen, 'dm:li-wen:maya:okonkwo', 'Shall the three of us go through the watchdog at four?')
  await maya.markRead('dm:ines-r:maya')
  await maya.markRead('dm:li-wen:maya:okonkwo')
  await said(40, tomasz, 'dm:maya:tomasz', 'Did you see the soak?')
  await said(39, tomasz, 'dm:maya:tomasz', 'I can walk you through it, five minutes.')

  for (const name of [CALLER, 'li-wen', 'ines-r', 'okonkwo']) await by(name).markRead(eng)

  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  try {
    // Timestamps keep the order of the messages in the channel (`ord`).
    for (const [message, minutes] of ago)
      await db.query('update messages set ts = ts - $2::float8 * 60 where id = $1', [message, minutes])
    await db.query(`update messages set ts = ts - 168 * 60 where filename is not null and id <> ${morning}`)
    // Read marks store the timestamp as well.
    await db.query(`update read_watermarks w set last_read_ts = m.ts from messages m
      where m.channel = w.channel and m.ord = w.last_read_ord`)
  } finally {
    await db.end()
  }
  for (const name of [CALLER, 'li-wen', 'ines-r', 'okonkwo', 'sanna', 'hedda'])
    await by(name).postJson('/presence', { state: name === 'sanna' ? 'idle' : 'active', tab: `${name}-1` })
  return people
}
