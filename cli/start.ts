import { keepCompiledCode, keepYoungGenerationSmall, setCompilers } from './v8-flags.ts';

keepCompiledCode(process);
setCompilers();
void import('./main.ts');
setImmediate(keepYoungGenerationSmall);
