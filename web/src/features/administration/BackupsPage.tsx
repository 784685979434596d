import { useEffect, useRef, useState } from 'preact/hooks'
import type { BackupPayload, BackupsPayload } from '#shared/domain/payloads/administration.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { useRefresh } from '../../common/use-refresh.ts'
import { strings } from '../../i18n/i18n.ts'
import { backUpNow, backups } from '../../net/requests/administration.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { announce } from '../../ui/feedback.ts'
import { Icon } from '../../ui/Icon.tsx'
import { act } from './act.ts'
import { BackupProof } from './BackupProof.tsx'
import { BackupTable } from './BackupTable.tsx'
import { isProven, isRunning, lastProven, type Proven } from './backup-state.ts'
import { PageFrame } from './PageFrame.tsx'
import './BackupsPage.css'

/** Interval of requests while a backup waits or is made. */
const POLL: Milliseconds = 3_000

/** The last backups and whether a restore of them was proven (interface 17.4). For owners. */
export function BackupsPage() {
  const { list, hasFailed, load } = useBackups()
  const texts = strings.backups
  const isBusy = list?.items.some(isRunning) ?? false
  const start = () =>
    act(backUpNow, texts.one, () => {
      announce(texts.asked)
      load()
    })
  return (
    <PageFrame
      beside={
        list && (
          <button
            type="button"
            class="button button-primary"
            aria-disabled={isBusy || list.problem !== null}
            onClick={() => !isBusy && list.problem === null && void start()}
          >
            {texts.now}
          </button>
        )
      }
    >
      {hasFailed && (
        <div class="empty-state" role="alert">
          <p>{strings.administration.notLoaded}</p>
          <button type="button" class="button" onClick={load}>
            {strings.tryAgain}
          </button>
        </div>
      )}
      {list && <BackupOverview list={list} />}
    </PageFrame>
  )
}

/** Asked again while one is being made and this page is visible. */
function useBackups() {
  const [list, setList] = useState<BackupsPayload>()
  const [hasFailed, setFailed] = useState(false)
  const isHere = useRef(true)
  const load = () => {
    setFailed(false)
    backups().then(
      answer => isHere.current && setList(answer),
      error => {
        tolerateFailure(error)
        if (isHere.current) setFailed(true)
      },
    )
  }
  useEffect(() => {
    isHere.current = true
    load()
    return () => {
      isHere.current = false
    }
  }, [])
  const isBusy = list?.items.some(isRunning) ?? false
  useRefresh(isBusy, POLL, load)
  return { list, hasFailed, load }
}

function BackupOverview({ list }: { list: BackupsPayload }) {
  const proven = lastProven(list.items)
  return (
    <>
      <PromiseLine list={list} proven={proven} />
      <div class="backups">
        <div>
          <BackupTable list={list} />
          <Places list={list} />
        </div>
        {proven && <BackupProof backup={proven} folder={list.folder} />}
      </div>
    </>
  )
}

/** The first line: how soon the server could be back, and how this is known. */
function PromiseLine({ list, proven }: { list: BackupsPayload; proven: Proven | undefined }) {
  const texts = strings.backups
  const newest = list.items.find(item => !isRunning(item))
  const isGood = list.problem === null && proven !== undefined && newest !== undefined && isProven(newest)
  const [title, text] = promiseOf(list, proven, newest)
  return (
    <div class={`backups-promise ${isGood ? 'is-ok' : 'is-look'}`} role="status">
      <Icon name={isGood ? 'check' : 'alert'} />
      <div>
        <b>{title}</b>
        <p>{text}</p>
        {list.items.some(isRunning) && <p>{texts.running}</p>}
      </div>
    </div>
  )
}

function promiseOf(
  { problem }: BackupsPayload,
  proven: Proven | undefined,
  newest: BackupPayload | undefined,
): [title: string, text: string] {
  const texts = strings.backups
  if (problem !== null) return [texts.none, texts.problems[problem]]
  if (!proven) return [texts.hope, texts.hopeMore]
  const shown = texts.restored(proven.verified_ts, proven.seconds_to_restore ?? 0)
  return newest && isProven(newest)
    ? [texts.promise(proven.seconds_to_restore ?? 0), shown]
    : [texts.notLast, shown]
}

function Places({ list: { folder, next_at, items } }: { list: BackupsPayload }) {
  const texts = strings.backups
  if (folder === null) return null
  const kept = items.filter(({ name }) => name !== null).length
  return (
    <section class="setting-group" aria-labelledby="backups-places">
      <h2 id="backups-places">{texts.places}</h2>
      <ul class="setting-box">
        <li class="setting-row">
          <div class="setting-text">
            <b>
              <code>{folder}</code>
            </b>
            <p class="hint">{texts.made(kept)}</p>
            <p class="hint">{next_at === null ? texts.noNext : texts.next(next_at)}</p>
          </div>
        </li>
      </ul>
    </section>
  )
}
