import { isLongEnough, MIN_PASSWORD_LENGTH } from '@bancone/contract/passwords'
import { Check, Circle } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Strength } from '../lib/password-strength.ts'
import { cn } from './class-names.ts'

type Measure = (password: string, email: string) => Strength

const STEPS = [1, 2, 3, 4] as const

const looks: Record<Strength['level'], { bar: string; word: string }> = {
  1: { bar: 'bg-danger', word: 'text-danger' },
  2: { bar: 'bg-pending', word: 'text-pending' },
  3: { bar: 'bg-bookedToday', word: 'text-bookedToday' },
  4: { bar: 'bg-confirmed', word: 'text-confirmed' },
}

/** The dictionaries are larger than the rest of the application: they are loaded when typing begins. */
function useMeasure(wanted: boolean): Measure | null {
  const [measure, setMeasure] = useState<Measure | null>(null)
  useEffect(() => {
    if (!wanted) return
    // The form works without it: the server rejects weak passwords.
    import('../lib/password-strength.ts')
      .then(({ measureStrength }) => setMeasure(() => measureStrength))
      .catch(() => undefined)
  }, [wanted])
  return measure
}

type PasswordStrengthProps = { id: string; password: string; email: string }

/** Shows the strength of a password while it is typed. It has its full height from the start. */
export function PasswordStrength({ id, password, email }: PasswordStrengthProps) {
  const settled = useDeferredValue(password)
  const measure = useMeasure(password !== '')
  const strength = useMemo(
    () => (measure && settled !== '' ? measure(settled, email) : null),
    [measure, settled, email],
  )
  const look = strength && looks[strength.level]
  const isLong = isLongEnough(password)
  const RuleIcon = isLong ? Check : Circle
  return (
    <div id={id} className="flex flex-col gap-1 text-sm">
      <div className="flex items-center gap-3">
        <div aria-hidden className="flex flex-1 gap-1">
          {STEPS.map((step) => (
            <span
              key={step}
              className={cn(
                'h-1 flex-1 rounded-full transition-colors duration-150',
                strength && look && step <= strength.level ? look.bar : 'bg-line-strong',
              )}
            />
          ))}
        </div>
        {/* As wide as the longest label, so that the bars keep their width. */}
        <p role="status" className="min-h-lh w-16 text-right">
          {strength && look ? (
            <>
              <span className="sr-only">Robustezza: </span>
              <strong className={look.word}>{strength.label}</strong>
            </>
          ) : null}
        </p>
      </div>
      <p className={cn('flex items-center gap-1.5', isLong ? 'text-confirmed' : 'text-muted')}>
        <RuleIcon aria-hidden className={cn('shrink-0', isLong ? 'size-4' : 'mx-1 size-2')} />
        Almeno {MIN_PASSWORD_LENGTH} caratteri
      </p>
      <p className="min-h-[2lh] text-pretty text-muted">
        {strength ? strength.hint : 'Tre o quattro parole senza legame tra loro si ricordano bene.'}
      </p>
    </div>
  )
}
