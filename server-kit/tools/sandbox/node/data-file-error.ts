/**
 * Why a data file cannot be used: another process uses it (`in_use`), it is not a data file (`foreign`), a later version
 * wrote it (`newer`), a line is damaged (`damaged`), or a system call failed (`unusable`).
 */
export type DataFileErrorCode = 'in_use' | 'foreign' | 'newer' | 'damaged' | 'unusable';

/** A data file that cannot be used. The file is not changed. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
  readonly code: DataFileErrorCode;

  constructor(code: DataFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
