import { useState } from 'react'
import { quiet, secondary } from './styles.ts'

type CancelButtonProps = { label: string; isBusy: boolean; onCancel: () => void }

const focusOn = (element: HTMLElement | null) => element?.focus()

/** Ends the session. It cannot be taken back, so it is asked once more in its place. */
export function CancelButton({ label, isBusy, onCancel }: CancelButtonProps) {
  const [state, setState] = useState<'untouched' | 'asked' | 'declined'>('untouched')
  if (state !== 'asked') {
    return (
      <button
        type="button"
        {...(state === 'declined' ? { ref: focusOn } : {})}
        className={quiet}
        aria-disabled={isBusy}
        onClick={() => {
          if (!isBusy) setState('asked')
        }}
      >
        {label}
      </button>
    )
  }
  return (
    <div role="group" aria-label="Conferma" className="flex w-full flex-col gap-2">
      <p>L’accesso prioritario finisce. Annullarlo?</p>
      <div className="flex flex-wrap gap-2">
        {/* The safe one has the focus: the button that was pressed is gone. */}
        <button
          type="button"
          ref={focusOn}
          className={secondary}
          onClick={() => setState('declined')}
        >
          No, continua
        </button>
        <button type="button" className={quiet} aria-disabled={isBusy} onClick={onCancel}>
          {isBusy ? 'Invio richiesta...' : 'Sì, annulla'}
        </button>
      </div>
    </div>
  )
}
