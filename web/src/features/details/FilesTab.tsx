import { useState } from 'preact/hooks'
import { FILE_KINDS, type FileKind, isInline, kindOfType } from '#shared/domain/file-types.ts'
import type { ChannelFilePayload } from '#shared/domain/payloads.ts'
import { ExtensionTile } from '../../common/ExtensionTile.tsx'
import { PagesEnd, PagesStart } from '../../common/PagesBounds.tsx'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { fileAddress } from '../../net/endpoints.ts'
import { channelFiles } from '../../net/lazy-endpoints.ts'
import type { Channel } from '../../store/channels.ts'
import { displayed } from '../../store/people.ts'
import { hashOf } from '../../store/route.ts'
import { isPhone, panel, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Select } from '../../ui/Select.tsx'
import './FilesTab.css'

/** ms after the last key. */
const SETTLE = 300
const SENDERS = 200

/** The files of the channel by month, newest first. A press on a name leads to its message. */
export function FilesTab({ channel }: { channel: Channel }) {
  const [kind, setKind] = useState<FileKind>()
  const [words, setWords] = useState('')
  const [sender, setSender] = useState('')
  const newest = channel.liveWindow.value?.rows.findLast(row => row.filename !== null && row.id > 0)?.id
  const asked = { kind, words: words.trim(), sender: sender.trim() }
  const list = usePages<ChannelFilePayload>(
    [kind, asked.words, asked.sender, newest],
    (cursor, signal) => channelFiles(channel.id, asked, cursor, signal),
    { settle: SETTLE },
  )
  const { next } = list
  const shown = list.items.filter(({ message_id: id }) => channel.findRow(id)?.deleted !== 1)
  const say = strings.files
  const isFiltered = kind !== undefined || asked.words !== '' || asked.sender !== ''
  return (
    <>
      <div class="files-filters">
        <div class="input">
          <Icon name="search" size={16} />
          <input
            type="search"
            value={words}
            maxLength={200}
            aria-label={say.find}
            placeholder={say.find}
            autocomplete="off"
            onInput={event => setWords(event.currentTarget.value)}
          />
        </div>
        <Select
          id="files-type"
          aria-label={say.type}
          value={kind ?? 'all'}
          choose={value => setKind(FILE_KINDS.find(one => one === value))}
        >
          <option value="all">{say.types.all}</option>
          {FILE_KINDS.map(one => (
            <option key={one} value={one}>
              {say.types[one]}
            </option>
          ))}
        </Select>
        <div class="input">
          <input
            value={sender}
            maxLength={32}
            list="files-senders"
            aria-label={say.sender}
            placeholder={say.sender}
            autocomplete="off"
            spellcheck={false}
            onInput={event => setSender(event.currentTarget.value)}
          />
          <datalist id="files-senders">
            {[viewer, ...channel.members.value].slice(0, SENDERS).map(name => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
      </div>
      <div class="panel-results">
        <PagesStart {...list} />
        {[...byMonth(shown)].map(([month, files]) => (
          <section key={month} aria-label={month}>
            <h3 class="files-month">{month}</h3>
            <ul class="files-list">
              {files.map(file => (
                <FileLine key={file.name} channel={channel} file={file} />
              ))}
            </ul>
          </section>
        ))}
        {list.hasFailed ? (
          <div class="files-failed">
            <p class="hint" role="status">
              {say.failed}
            </p>
            <button type="button" class="button" onClick={list.again}>
              {strings.tryAgain}
            </button>
          </div>
        ) : (
          <PagesEnd {...list} />
        )}
        {next === null && shown.length === 0 && (
          <p class="hint files-none" role="status">
            {isFiltered ? say.noneFound : say.none}
          </p>
        )}
      </div>
    </>
  )
}

function byMonth(files: readonly ChannelFilePayload[]): Map<string, ChannelFilePayload[]> {
  const months = new Map<string, ChannelFilePayload[]>()
  for (const file of files) {
    const month = strings.files.month(new Date(file.ts * 1_000))
    const listed = months.get(month)
    if (listed) listed.push(file)
    else months.set(month, [file])
  }
  return months
}

function FileLine({ channel, file }: { channel: Channel; file: ChannelFilePayload }) {
  const { name, original_name: shownName, message_id: id, sender, size, ts, type } = file
  const say = strings.files
  const isPicture = kindOfType(type) === 'image' && isInline(type)
  return (
    <li class="files-line">
      {isPicture ? (
        <img src={fileAddress(name, 360)} alt="" loading="lazy" decoding="async" />
      ) : (
        <ExtensionTile name={shownName} />
      )}
      <span class="files-text">
        <a
          href={hashOf(channel.id, id)}
          title={say.goTo(shownName)}
          dir="auto"
          onClick={() => {
            if (isPhone.peek()) panel.value = undefined
          }}
        >
          {shownName}
        </a>
        <span class="hint">
          {displayed(sender)}, <time title={strings.date(ts)}>{strings.date(ts)}</time>, {say.size(size)}
        </span>
      </span>
      <a
        class="icon-button"
        href={`${fileAddress(name)}?download=1`}
        download={shownName}
        aria-label={say.download(shownName)}
        title={say.download(shownName)}
      >
        <Icon name="download" />
      </a>
    </li>
  )
}
