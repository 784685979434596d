import { useEffect, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { preferences, setPreferences } from '../../net/requests/lazy-endpoints.ts'
import { SetRow, SwitchLine } from './rows.tsx'

interface Props {
  name: 'share_read' | 'fold_replies'
  texts: { title: string; more: string; label: string }
}

/** A preference that is saved at once, on the server: it holds on every device of the person. */
export function AccountSwitch({ name, texts }: Props) {
  const { notLoaded, notSaved } = strings.myProfile.shareRead
  const [isOn, setOn] = useState<boolean | undefined>(undefined)
  const [fault, setFault] = useState('')

  useEffect(() => {
    let isHere = true
    preferences().then(
      found => {
        if (isHere) setOn(found[name])
      },
      error => {
        tolerateFailure(error)
        if (isHere) setFault(notLoaded)
      },
    )
    return () => {
      isHere = false
    }
  }, [])

  const set = async (next: boolean) => {
    setOn(next)
    setFault('')
    try {
      await setPreferences({ [name]: next })
    } catch (error) {
      tolerateFailure(error)
      setOn(!next)
      setFault(notSaved)
    }
  }
  return (
    <SetRow title={texts.title} more={texts.more}>
      {isOn !== undefined && <SwitchLine title={texts.label} on={isOn} set={next => void set(next)} />}
      <p class="hint" role="status">
        {fault}
      </p>
    </SetRow>
  )
}
