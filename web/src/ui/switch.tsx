import { type ReactNode, useId } from 'react'
import { cn } from './class-names.ts'

type SwitchProps = {
  label: string
  hint?: ReactNode
  checked: boolean
  /** Cannot be changed at the moment, but keeps the focus. */
  inactive?: boolean
  onChange: (checked: boolean) => void
}

/** A setting that takes effect at once, without a form. The whole row can be clicked. */
export function Switch({ label, hint, checked, inactive = false, onChange }: SwitchProps) {
  const id = useId()
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-labelledby={`${id}-label`}
      aria-describedby={hint ? `${id}-hint` : undefined}
      aria-disabled={inactive || undefined}
      onClick={inactive ? undefined : () => onChange(!checked)}
      className="group flex w-full items-start gap-4 rounded-control text-left"
    >
      <span className="min-w-0 flex-1">
        <span id={`${id}-label`} className="block font-medium">
          {label}
        </span>
        {hint ? (
          <span id={`${id}-hint`} className="mt-0.5 block text-sm text-pretty text-muted">
            {hint}
          </span>
        ) : null}
      </span>
      <SwitchMark checked={checked} className="mt-0.5" />
    </button>
  )
}

/** The graphic of a switch, inside a button with the class `group`. */
export function SwitchMark({ checked, className }: { checked: boolean; className?: string }) {
  return (
    <span
      aria-hidden
      className={cn(
        'flex h-6 w-10 shrink-0 rounded-full border p-0.5 transition-colors duration-150 group-aria-disabled:opacity-55',
        checked ? 'border-accent bg-accent' : 'border-control bg-sunken',
        className,
      )}
    >
      <span
        className={cn(
          'size-4.5 rounded-full transition-transform duration-150',
          checked ? 'translate-x-4 bg-on-accent' : 'bg-control',
        )}
      />
    </span>
  )
}
