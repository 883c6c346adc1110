import { cn } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { cell, OrdersTable } from './orders-table.tsx'

const rows = Array.from({ length: 8 }, (_, index) => index)
const widths = [
  'w-10',
  'w-4/5',
  'w-20',
  'w-11/12',
  'w-full',
  'w-16',
  'w-full h-8 rounded-2xl',
  'w-14 h-8',
]

/** The list before its first reading, in its own shape. */
export function OrdersSkeleton({ wide }: { wide: boolean }) {
  return (
    <div role="status">
      <span className="sr-only">Caricamento degli ordini in corso…</span>
      {wide ? (
        <OrdersTable>
          {rows.map((row) => (
            <tr key={row}>
              {widths.map((width) => (
                <td key={width} className={cn(cell, 'h-13')}>
                  <Skeleton className={width.includes('h-') ? width : `h-3.5 ${width}`} />
                </td>
              ))}
            </tr>
          ))}
        </OrdersTable>
      ) : (
        <div className="flex flex-col gap-2.5">
          {rows.slice(0, 4).map((row) => (
            <div key={row} className="rounded-card border border-line bg-surface p-3.5">
              <Skeleton className="h-3.5 w-16" />
              <Skeleton className="mt-2.5 h-4.5 w-3/5" />
              <Skeleton className="mt-3 h-3.5 w-11/12" />
              <Skeleton className="mt-3 h-3.5 w-4/5" />
              <Skeleton className="mt-4 h-3.5 w-2/5" />
              <Skeleton className="mt-4 h-12 w-full rounded-2xl" />
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
