import { Loading, Skeleton } from '../../ui/skeleton.tsx'

export function ProfileSkeleton() {
  return (
    <Loading text="Caricamento del profilo in corso…" className="flex flex-col gap-4 md:gap-5">
      {['h-72', 'h-120', 'h-32', 'h-64'].map((height) => (
        <Skeleton key={height} shape="control" className={`w-full ${height}`} />
      ))}
    </Loading>
  )
}
