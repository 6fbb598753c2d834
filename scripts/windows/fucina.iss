; Installer for the user's own account, without administrator rights. Not run on Windows yet.
; iscc /DVersion=… /DProgram=<folder> /DName=<file name> /O<folder> fucina.iss
[Setup]
AppId=local.fucina.Fucina
AppName=Fucina
AppVersion={#Version}
AppPublisher=Fucina contributors
DefaultDirName={localappdata}\Programs\Fucina
DefaultGroupName=Fucina
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible arm64
ArchitecturesInstallIn64BitMode=x64compatible arm64
LicenseFile={#Program}\LICENSE
SetupIconFile={#Program}\fucina.ico
UninstallDisplayIcon={app}\fucina.ico
OutputBaseFilename={#Name}-setup
Compression=lzma2
SolidCompression=yes
CloseApplications=yes
ChangesEnvironment=yes

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "it"; MessagesFile: "compiler:Languages\Italian.isl"

[CustomMessages]
en.AtLogin=Start Fucina at login
it.AtLogin=Avvia Fucina all'accesso
en.OnPath=Add the command fucina to PATH
it.OnPath=Aggiungi il comando fucina al PATH

[Tasks]
Name: "onpath"; Description: "{cm:OnPath}"
Name: "atlogin"; Description: "{cm:AtLogin}"; Flags: unchecked

[InstallDelete]
Type: filesandordirs; Name: "{app}\node_modules"
Type: filesandordirs; Name: "{app}\apps"

[Files]
Source: "{#Program}\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{group}\Fucina"; Filename: "{app}\bin\node.exe"; Parameters: """{app}\apps\cli\dist\main.js"" app"; IconFilename: "{app}\fucina.ico"; Flags: runminimized

[Registry]
Root: HKCU; Subkey: "Software\Classes\fucina"; ValueType: string; ValueData: "URL:Fucina"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Software\Classes\fucina"; ValueType: string; ValueName: "URL Protocol"; ValueData: ""
Root: HKCU; Subkey: "Software\Classes\fucina\DefaultIcon"; ValueType: string; ValueData: "{app}\fucina.ico"
Root: HKCU; Subkey: "Software\Classes\fucina\shell\open\command"; ValueType: string; ValueData: """{app}\bin\node.exe"" ""{app}\apps\cli\dist\main.js"" app ""%1"""
Root: HKCU; Subkey: "Software\Microsoft\Windows\CurrentVersion\Run"; ValueType: string; ValueName: "Fucina"; ValueData: """{app}\bin\node.exe"" ""{app}\apps\cli\dist\main.js"" app"; Tasks: atlogin; Flags: uninsdeletevalue
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}\bin"; Tasks: onpath; Check: IsNotOnPath

[Code]
function IsNotOnPath(): Boolean;
var
  Path: String;
begin
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Path) then Path := '';
  Result := Pos(';' + Uppercase(ExpandConstant('{app}\bin')) + ';', ';' + Uppercase(Path) + ';') = 0;
end;
