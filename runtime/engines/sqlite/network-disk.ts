import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** File systems of other machines, by the numbers that statfs(2) gives on Linux. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x69_69, 'NFS'],
  [0x51_7b, 'SMB'],
  [0xff_53_4d_42, 'SMB'],
  [0xfe_53_4d_42, 'SMB'],
  [0x65_73_55_46, 'FUSE'],
  [0x01_02_19_97, '9P'],
  [0x00_c3_64_00, 'Ceph'],
]);

/**
 * The warning for a database whose file system may be on another machine, where locks and syncs do not hold what SQLite needs of
 * them (https://www.sqlite.org/useovernet.html); undefined for a local one, or if the system does not tell.
 */
export function networkDiskWarning(file: string): string | undefined {
  try {
    const name = networkFileSystems.get(statfsSync(dirname(file)).type);
    return (
      name &&
      `The database ${file} is on a file system of the kind ${name}, which may lose writes. Move it to a local disk.`
    );
  } catch {
    return undefined;
  }
}
