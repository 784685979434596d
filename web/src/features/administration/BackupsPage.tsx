import { useEffect, useRef, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { type Backup, type Backups, backUpNow, backups } from '../../net/requests/administration.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { announce } from '../../ui/feedback.ts'
import { Icon } from '../../ui/Icon.tsx'
import { act } from './act.ts'
import { BackupProof } from './BackupProof.tsx'
import { BackupTable } from './BackupTable.tsx'
import { isProven, isRunning, lastProven, type Proven } from './backup-state.ts'
import { PageFrame } from './PageFrame.tsx'
import './BackupsPage.css'

/** ms. While a backup waits or is made, the page asks again after so long. */
const LOOK_AGAIN = 3_000

/** The last backups and whether a restore of them was proven (interface 17.4). For owners. */
export function BackupsPage() {
  const { found, hasFailed, load } = useBackups()
  const say = strings.backups
  const isBusy = found?.items.some(isRunning) ?? false
  const start = () =>
    act(backUpNow, say.one, () => {
      announce(say.asked)
      load()
    })
  return (
    <PageFrame
      beside={
        found && (
          <button
            type="button"
            class="button button-primary"
            aria-disabled={isBusy || found.problem !== null}
            onClick={() => !isBusy && found.problem === null && void start()}
          >
            {say.now}
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
      {found && <Found found={found} />}
    </PageFrame>
  )
}

/** Asked again while one is being made and this page is visible. */
function useBackups() {
  const [found, setFound] = useState<Backups>()
  const [hasFailed, setFailed] = useState(false)
  const isHere = useRef(true)
  const load = () => {
    setFailed(false)
    backups().then(
      answer => isHere.current && setFound(answer),
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
  const isBusy = found?.items.some(isRunning) ?? false
  useEffect(() => {
    if (!isBusy) return
    const timer = setInterval(() => document.visibilityState === 'visible' && load(), LOOK_AGAIN)
    return () => clearInterval(timer)
  }, [isBusy])
  return { found, hasFailed, load }
}

function Found({ found }: { found: Backups }) {
  const proven = lastProven(found.items)
  return (
    <>
      <PromiseLine found={found} proven={proven} />
      <div class="backups">
        <div>
          <BackupTable found={found} />
          <Places found={found} />
        </div>
        {proven && <BackupProof backup={proven} folder={found.folder} />}
      </div>
    </>
  )
}

/** The first line: how soon the server could be back, and how this is known. */
function PromiseLine({ found, proven }: { found: Backups; proven: Proven | undefined }) {
  const say = strings.backups
  const newest = found.items.find(item => !isRunning(item))
  const isGood = found.problem === null && proven !== undefined && newest !== undefined && isProven(newest)
  const [title, text] = promiseOf(found, proven, newest)
  return (
    <div class={`backups-promise ${isGood ? 'is-ok' : 'is-look'}`} role="status">
      <Icon name={isGood ? 'check' : 'alert'} />
      <div>
        <b>{title}</b>
        <p>{text}</p>
        {found.items.some(isRunning) && <p>{say.running}</p>}
      </div>
    </div>
  )
}

function promiseOf(
  { problem }: Backups,
  proven: Proven | undefined,
  newest: Backup | undefined,
): [title: string, text: string] {
  const say = strings.backups
  if (problem !== null) return [say.none, say.problems[problem]]
  if (!proven) return [say.hope, say.hopeMore]
  const shown = say.restored(proven.verified_ts, proven.seconds_to_restore ?? 0)
  return newest && isProven(newest)
    ? [say.promise(proven.seconds_to_restore ?? 0), shown]
    : [say.notLast, shown]
}

function Places({ found: { folder, next_at, items } }: { found: Backups }) {
  const say = strings.backups
  if (folder === null) return null
  const kept = items.filter(({ name }) => name !== null).length
  return (
    <section class="setting-group" aria-labelledby="backups-places">
      <h2 id="backups-places">{say.places}</h2>
      <ul class="setting-box">
        <li class="setting-row">
          <div class="setting-text">
            <b>
              <code>{folder}</code>
            </b>
            <p class="hint">{say.made(kept)}</p>
            <p class="hint">{next_at === null ? say.noNext : say.next(next_at)}</p>
          </div>
        </li>
      </ul>
    </section>
  )
}
