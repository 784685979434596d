import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { FILE_KINDS, type FileKind } from '#shared/domain/file-types.ts'
import type { ChannelFilePayload } from '#shared/domain/payloads/files.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { ExtensionTile } from '../../common/ExtensionTile.tsx'
import { PagesEnd, PagesStart } from '../../common/PagesBounds.tsx'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { fileAddress } from '../../net/requests/endpoints.ts'
import { channelFiles } from '../../net/requests/lazy-endpoints.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { displayed } from '../../store/people/people.ts'
import { hashOf } from '../../store/route.ts'
import { isPhone, panel, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { type FilesAge, type FilesRun, filesByTime } from './files-by-time.ts'
import './FilesTab.css'

/** ms after the last key. */
const SETTLE = 300
const SENDERS = 200

interface Filter {
  kind: FileKind | undefined
  words: string
  sender: string
}

/** The files of the channel by time, newest first. A press on a name or picture leads to its message. */
export function FilesTab({ channel }: { channel: Channel }) {
  const [filter, setFilter] = useState<Filter>({ kind: undefined, words: '', sender: '' })
  const newest = channel.liveWindow.value?.rows.findLast(row => row.filename !== null && row.id > 0)?.id
  const asked = { ...filter, words: filter.words.trim(), sender: filter.sender.trim() }
  const list = usePages<ChannelFilePayload>(
    [asked.kind, asked.words, asked.sender, newest],
    (cursor, signal) => channelFiles(channel.id, asked, cursor, signal),
    { settle: SETTLE },
  )
  const shown = list.items.filter(({ message_id: id }) => channel.findRow(id)?.deleted !== 1)
  const texts = strings.files
  const isFiltered = asked.kind !== undefined || asked.words !== '' || asked.sender !== ''
  return (
    <>
      <Filters filter={filter} change={part => setFilter({ ...filter, ...part })} channel={channel} />
      <div class="panel-results">
        <PagesStart {...list} />
        {filesByTime(shown, new Date()).map(({ age, runs }) => (
          <section key={String(age)} aria-label={titleOf(age)}>
            <h3 class="files-month">{titleOf(age)}</h3>
            <ul class="files-list">
              {runs.map(run => (
                <Run
                  key={'file' in run ? run.file.name : run.pictures[0]!.name}
                  channel={channel.id}
                  run={run}
                />
              ))}
            </ul>
          </section>
        ))}
        {list.hasFailed ? (
          <div class="files-failed">
            <p class="hint" role="status">
              {texts.failed}
            </p>
            <button type="button" class="button" onClick={list.again}>
              {strings.tryAgain}
            </button>
          </div>
        ) : (
          <PagesEnd {...list} />
        )}
        {list.next === null && shown.length === 0 && (
          <p class="hint files-none" role="status">
            {isFiltered ? texts.noneFound : texts.none}
          </p>
        )}
      </div>
    </>
  )
}

function titleOf(age: FilesAge): string {
  if (age === 'today') return strings.files.today
  return age === 'earlier' ? strings.files.earlier : strings.files.month(age)
}

interface FilterProps {
  filter: Filter
  change: (part: Partial<Filter>) => void
  channel: Channel
}

function Filters({ filter, change, channel }: FilterProps) {
  const texts = strings.files
  return (
    <div class="files-filters">
      <div class="input">
        <Icon name="search" size={16} />
        <input
          type="search"
          value={filter.words}
          maxLength={200}
          aria-label={texts.find}
          placeholder={texts.find}
          autocomplete="off"
          onInput={event => change({ words: event.currentTarget.value })}
        />
      </div>
      <div class="input">
        <input
          value={filter.sender}
          maxLength={32}
          list="files-senders"
          aria-label={texts.sender}
          placeholder={texts.sender}
          autocomplete="off"
          spellcheck={false}
          onInput={event => change({ sender: event.currentTarget.value })}
        />
        <datalist id="files-senders">
          {[viewer, ...channel.members.value].slice(0, SENDERS).map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <div class="files-types" role="group" aria-label={texts.type}>
        {([undefined, ...FILE_KINDS] as const).map(kind => (
          <button
            type="button"
            key={kind ?? 'all'}
            class={kind === filter.kind ? 'filter-chip is-on' : 'filter-chip'}
            aria-pressed={kind === filter.kind}
            onClick={() => change({ kind })}
          >
            {texts.types[kind ?? 'all']}
          </button>
        ))}
      </div>
    </div>
  )
}

function Run({ channel, run }: { channel: ChannelId; run: FilesRun }) {
  if ('file' in run) return <FileLine channel={channel} file={run.file} />
  return (
    <li class="files-pictures">
      {run.pictures.map(file => (
        <FileLink key={file.name} channel={channel} file={file}>
          <img
            src={fileAddress(file.name, 360)}
            alt={file.original_name}
            title={`${file.original_name}, ${aboutFile(file)}`}
            loading="lazy"
            decoding="async"
          />
        </FileLink>
      ))}
    </li>
  )
}

const aboutFile = ({ sender, ts, size }: ChannelFilePayload) =>
  [displayed(sender), strings.files.since(ts), strings.files.size(size)].join(', ')

function FileLine({ channel, file }: { channel: ChannelId; file: ChannelFilePayload }) {
  const { name, original_name: shownName } = file
  const texts = strings.files
  return (
    <li class="files-line">
      <ExtensionTile name={shownName} />
      <span class="files-text">
        <FileLink channel={channel} file={file}>
          {shownName}
        </FileLink>
        <span class="hint">{aboutFile(file)}</span>
      </span>
      <a
        class="icon-button"
        href={`${fileAddress(name)}?download=1`}
        download={shownName}
        aria-label={texts.download(shownName)}
        title={texts.download(shownName)}
      >
        <Icon name="download" />
      </a>
    </li>
  )
}

interface LinkProps {
  channel: ChannelId
  file: ChannelFilePayload
  children: ComponentChildren
}

/** Leads to the message of the file. */
function FileLink({ channel, file, children }: LinkProps) {
  return (
    <a
      href={hashOf(channel, file.message_id)}
      title={strings.files.goTo(file.original_name)}
      dir="auto"
      onClick={() => {
        if (isPhone.peek()) panel.value = undefined
      }}
    >
      {children}
    </a>
  )
}
