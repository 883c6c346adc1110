import { type FormEvent, useId, useRef, useState } from 'react'
import { isUnlocked } from './answers.ts'
import { CallFailed, calls, post } from './calls.ts'
import { field, main } from './styles.ts'

export type Unlocked = { orderId: string; token: string }

type DigitsFormProps = {
  pharmacyCode: string
  /** The order of the page; absent: the number of the order is asked for. */
  orderId?: string
  onUnlocked: (unlocked: Unlocked) => void
}

/** Proves that an order is the customer's by the last four digits of its telephone number. */
export function DigitsForm({ pharmacyCode, orderId, onUnlocked }: DigitsFormProps) {
  const [failure, setFailure] = useState<{ text: string; of: 'number' | 'digits' } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const number = useRef<HTMLInputElement>(null)
  const digits = useRef<HTMLInputElement>(null)
  const id = useId()

  function fail(text: string, of: 'number' | 'digits') {
    setFailure({ text, of })
    const input = of === 'number' ? number : digits
    input.current?.focus()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const asked = number.current?.value.trim() ?? ''
    const given = digits.current?.value.trim() ?? ''
    if (orderId === undefined && asked === '') return fail('Serve il numero dell’ordine.', 'number')
    if (!/^\d{4}$/.test(given))
      return fail('Servono le ultime quattro cifre del telefono.', 'digits')
    setFailure(null)
    setBusy(true)
    const order = orderId === undefined ? { number: asked } : { id: orderId }
    try {
      onUnlocked(await post(calls.unlock, { pharmacyCode, order, digits: given }, isUnlocked))
    } catch (error) {
      setBusy(false)
      fail(failureText(error), 'digits')
    }
  }

  const invalid = (of: 'number' | 'digits') =>
    failure?.of === of ? { 'aria-invalid': true, 'aria-describedby': `${id}-failure` } : {}
  return (
    <form
      noValidate
      className="needs-script mt-4 flex flex-col gap-3"
      onSubmit={(event) => void submit(event)}
    >
      {orderId === undefined ? (
        <label className="flex flex-col gap-1 font-medium">
          Numero dell’ordine
          <input
            ref={number}
            className={field}
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={40}
            {...invalid('number')}
          />
        </label>
      ) : null}
      <label className="flex flex-col gap-1 font-medium">
        Ultime quattro cifre del telefono
        <input
          ref={digits}
          className={`${field} text-xl tracking-[0.3em] tabular-nums`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          {...invalid('digits')}
        />
      </label>
      <p id={`${id}-failure`} role="alert" className="text-danger empty:hidden">
        {failure?.text}
      </p>
      <button type="submit" aria-disabled={isBusy} className={main}>
        {isBusy ? 'Controllo in corso...' : 'Continua'}
      </button>
    </form>
  )
}

function failureText(error: unknown): string {
  if (!(error instanceof CallFailed)) throw error
  const { kind, text } = error.failure
  if (kind === 'timeout') return 'Richiesta scaduta. Riprova più tardi.'
  return text || 'Si è verificato un errore durante la comunicazione con il server. Riprova.'
}
