import { MAX_QUANTITY } from '@bancone/contract/whatsapp-order'
import { Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { square } from './looks.ts'
import { isQuantity } from './order-list-store.ts'

type QuantityFieldProps = {
  label: string
  quantity: number
  onChange: (quantity: number) => void
}

/** A quantity with two buttons, or typed. */
export function QuantityField({ label, quantity, onChange }: QuantityFieldProps) {
  // While it is typed, the text may be no number.
  const [typed, setTyped] = useState<string | null>(null)

  function step(by: number) {
    setTyped(null)
    if (isQuantity(quantity + by)) onChange(quantity + by)
  }

  return (
    <div role="group" aria-label={label} className="-ml-2 flex items-center">
      <button
        type="button"
        aria-label="Uno di meno"
        aria-disabled={quantity === 1}
        className={square}
        onClick={() => step(-1)}
      >
        <Minus aria-hidden />
      </button>
      <input
        aria-label={label}
        inputMode="numeric"
        maxLength={2}
        value={typed ?? quantity}
        className="h-12 w-14 rounded-control border border-line-strong bg-surface text-center text-base tabular-nums"
        onChange={({ target }) => {
          const text = target.value.replaceAll(/\D/g, '')
          setTyped(text)
          if (isQuantity(Number(text))) onChange(Number(text))
        }}
        onBlur={() => setTyped(null)}
        onFocus={({ target }) => target.select()}
      />
      <button
        type="button"
        aria-label="Uno di più"
        aria-disabled={quantity === MAX_QUANTITY}
        className={square}
        onClick={() => step(1)}
      >
        <Plus aria-hidden />
      </button>
    </div>
  )
}
