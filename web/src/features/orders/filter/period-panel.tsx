import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { formFields } from '../../../lib/form-fields.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { OrdersListQuery } from '../data/orders-search.ts'
import { periods, periodText } from './filter-texts.ts'

const Day = z.pipe(
  z.union([z.literal(''), z.iso.date()], 'Scrivi una data, come 31/01/2026.'),
  z.transform((day) => (day === '' ? undefined : day)),
)

/** The dates of the form: at least one is required. */
const Days = z.object({ dal: Day, al: Day }).check(
  z.refine(({ dal, al }) => dal !== undefined || al !== undefined, {
    path: ['dal'],
    message: 'Scegli almeno una data.',
  }),
  z.refine(({ dal, al }) => dal === undefined || al === undefined || dal <= al, {
    path: ['al'],
    message: '«Al» viene prima di «Dal».',
  }),
)

type Chosen = Pick<OrdersListQuery, 'periodo' | 'dal' | 'al'>
const anyDay: Chosen = { periodo: undefined, dal: undefined, al: undefined }

type PeriodPanelProps = { query: OrdersListQuery; onChange: (days: Chosen) => void }

/** Selects a predefined period or a range of dates. */
export function PeriodPanel({ query, onChange }: PeriodPanelProps) {
  const { periodo, dal = '', al = '' } = query
  const form = useForm({ resolver: zodResolver(Days), values: { dal, al } })
  const field = formFields(form)
  const submit = form.handleSubmit((days) => onChange({ ...anyDay, ...days }))
  return (
    <div className="flex flex-col gap-3.5">
      <div role="group" aria-label="Periodi" className="grid grid-cols-2 gap-1.5">
        {periods.map(({ period, text }) => (
          <Button
            key={period}
            aria-pressed={period === periodo}
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft max-md:h-12"
            onClick={() =>
              onChange({ ...anyDay, periodo: period === periodo ? undefined : period })
            }
          >
            {text}
          </Button>
        ))}
      </div>
      <form noValidate onSubmit={submit} className="flex flex-col gap-2.5">
        <div className="grid grid-cols-2 items-start gap-2">
          <TextField label="Dal" type="date" {...field('dal')} />
          <TextField label="Al" type="date" {...field('al')} />
        </div>
        <div className="flex gap-2">
          {periodText(query) === null ? null : (
            <Button className="flex-1" onClick={() => onChange(anyDay)}>
              Rimuovi il periodo
            </Button>
          )}
          <Button type="submit" look="primary" className="flex-1">
            Applica
          </Button>
        </div>
      </form>
    </div>
  )
}
