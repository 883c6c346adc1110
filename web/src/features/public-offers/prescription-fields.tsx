import type { TypedPrescription } from '@bancone/contract/whatsapp-order'
import { Check, ChevronDown } from 'lucide-react'
import { type ComponentProps, useId, useState } from 'react'
import type { doubtsOf, PrescriptionField } from './prescription-check.ts'
import type { Shop } from './shop.ts'

type DoubtsOf = typeof doubtsOf

/** The codes of a prescription in a dialog. They are health data: kept by nothing else, and gone when it closes. */
export function usePrescription() {
  const [typed, setTyped] = useState<TypedPrescription>({ nre: '', taxCode: '' })
  const [isSent, setIsSent] = useState(false)
  return {
    typed,
    isSent,
    change(field: PrescriptionField, text: string) {
      setIsSent(false)
      setTyped({ ...typed, [field]: text })
    },
    /** The page does not learn whether the chat has opened: the codes stay, to be sent again. */
    markSent() {
      setIsSent(true)
    },
  }
}

export type Prescription = ReturnType<typeof usePrescription>

type PrescriptionFieldsProps = { shop: Pick<Shop, 'pharmacy'>; prescription: Prescription }

/** Two fields that customers without a prescription do not have to see; nothing where the pharmacy has none. */
export function PrescriptionFields({ shop, prescription }: PrescriptionFieldsProps) {
  const { hasPrescriptionFields, whatsAppNumber } = shop.pharmacy
  const { typed, change } = prescription
  const [check, setCheck] = useState<{ doubtsOf: DoubtsOf } | null>(null)
  if (!hasPrescriptionFields || whatsAppNumber === null) return null

  const field = (name: PrescriptionField) => ({
    value: typed[name],
    doubtsOf: check && ((text: string) => check.doubtsOf(name, text)),
    onChange: (text: string) => change(name, text),
  })

  return (
    <details
      className="needs-script group"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) currentTarget.scrollIntoView({ block: 'start' })
        // Without it nothing is checked, and the codes are sent as they are.
        import('./prescription-check.ts').then(setCheck, () => undefined)
      }}
    >
      <summary className="flex min-h-12 cursor-pointer list-none items-center gap-1.5 font-medium text-accent [&::-webkit-details-marker]:hidden">
        Hai una ricetta?
        <ChevronDown aria-hidden className="size-4.5 group-open:rotate-180" />
      </summary>
      <div className="flex flex-col gap-3 pb-3">
        <p className="text-sm text-pretty text-muted">
          I codici partono con il messaggio WhatsApp per la farmacia: questa pagina non li conserva.
          Foto e documenti non servono.
        </p>
        <CodeField
          label="Numero della ricetta (NRE)"
          hint="15 caratteri, sul promemoria del medico."
          length={15}
          {...field('nre')}
        />
        <CodeField
          label="Codice fiscale"
          hint="Della persona che ha la ricetta."
          length={16}
          {...field('taxCode')}
        />
      </div>
    </details>
  )
}

/** Of a field: a family's prescriptions, and not so many that the link of the message gets too long. */
const MAX_TYPED = 300

type CodeFieldProps = {
  label: string
  hint: string
  /** Characters of the whole code: before, it is not said to be wrong while it is typed. */
  length: number
  value: string
  /** Null until the code that checks is loaded. */
  doubtsOf: ((text: string) => string[]) | null
  onChange: (text: string) => void
}

/** A field that says what is doubtful about its code. It never refuses one: the pharmacy decides. */
function CodeField({ label, hint, length, value, doubtsOf, onChange }: CodeFieldProps) {
  const id = useId()
  const [isLeft, setIsLeft] = useState(false)
  const [isRefused, setIsRefused] = useState(false)
  const isWhole = isLeft || value.replaceAll(/[^0-9a-z]/gi, '').length >= length
  const doubts = doubtsOf && isWhole && value.trim() !== '' ? doubtsOf(value) : null
  return (
    <div>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        value={value}
        aria-describedby={`${id}-hint`}
        className="mt-1 h-12 w-full scroll-mb-40 rounded-control border border-line-strong bg-surface px-3 text-base uppercase"
        {...NO_HELP}
        onChange={({ target }) => {
          // Not cut: half a code would look like a whole one.
          const isTooLong = target.value.length > MAX_TYPED
          setIsRefused(isTooLong)
          if (!isTooLong) onChange(target.value)
        }}
        onFocus={() => setIsLeft(false)}
        onBlur={() => setIsLeft(true)}
      />
      <p
        id={`${id}-hint`}
        aria-live="polite"
        className="mt-1 flex min-h-10 gap-1.5 text-sm text-muted"
      >
        {isRefused ? (
          <span className="text-pending">
            Non è stato aggiunto: qui ci stanno al massimo {MAX_TYPED} caratteri.
          </span>
        ) : doubts === null ? (
          hint
        ) : doubts.length === 0 ? (
          <WellFormed />
        ) : (
          <Doubts doubts={doubts} />
        )}
      </p>
    </div>
  )
}

/** No browser keeps, corrects or suggests a code. */
const NO_HELP: ComponentProps<'input'> = {
  autoComplete: 'off',
  autoCapitalize: 'characters',
  autoCorrect: 'off',
  spellCheck: false,
}

function WellFormed() {
  return (
    <>
      <Check aria-hidden className="mt-0.5 size-4.5 shrink-0 text-accent" />
      Il codice è scritto bene.
    </>
  )
}

function Doubts({ doubts }: { doubts: readonly string[] }) {
  return <span className="text-pending">{doubts.join(' ')} Si può mandare lo stesso.</span>
}
